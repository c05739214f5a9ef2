import Storage
import Testing

@testable import Transport

/// What a node says of a failure, to a command of its own version and of others.
@Suite struct NodeFailureTests {
    private func read(_ line: String) -> NodeFailure? {
        guard case .failed(let failure)? = ControlLine.decode(Array(line.utf8)) as ControlResponse? else { return nil }
        return failure
    }

    private func written(_ failure: NodeFailure) -> String {
        String(decoding: ControlLine.encode(ControlResponse.failed(failure)), as: UTF8.self)
    }

    @Test(arguments: [StorageError.diskFull, .unwritable, .readOnly, .unopenable, .busy, .tooManyFiles])
    func `An error that commands know comes through as it was`(error: StorageError) {
        let failure = NodeFailure(error)
        #expect(failure.error == error && failure.reason == error.description)
        #expect(read(written(failure)) == failure)
    }

    @Test func `Words alone are written as earlier versions write and read them`() {
        let failure = NodeFailure("the request is too long")
        let line = "{\"failed\":{\"_0\":\"the request is too long\"}}"
        #expect(written(failure) == line + "\n")
        #expect(read(line) == failure)
        #expect(NodeFailure(.absent).error == nil)
    }

    /// An earlier version reads the words, whatever stands beside them.
    @Test func `The kind of an error stands beside its words`() {
        let words = "the disk is full; nothing was changed"
        #expect(written(NodeFailure(.diskFull)) == "{\"failed\":{\"_0\":\"\(words)\",\"kind\":\"diskFull\"}}\n")
    }

    @Test func `Without a kind, or with one of a later version, the words tell the error`() {
        let words = "{\"failed\":{\"_0\":\"the disk is full; nothing was changed\""
        #expect(read(words + "}}") == NodeFailure(.diskFull))
        #expect(read(words + ",\"kind\":\"ofLater\"}}") == NodeFailure(.diskFull))
        #expect(read("{\"failed\":{\"_0\":\"something new\",\"kind\":\"ofLater\"}}") == NodeFailure("something new"))
        #expect(read("{\"failed\":{\"_0\":\"in other words\",\"kind\":\"busy\"}}")?.error == .busy)
    }

    @Test func `A reason says nothing of what was changed`() {
        #expect(StorageError.diskFull.reason == "the disk is full")
        #expect(StorageError.unwritable.description == StorageError.unwritable.reason + "; nothing was changed")
        #expect(StorageError.busy.description == StorageError.busy.reason)
    }
}
