internal import Entries
@testable internal import Sync
@testable internal import Transport

/// One line of the control socket, either way: what is read is written so that it reads as the same, and what a request
/// brings is read by the parser of its bytes.
enum ControlFuzz {
    private static let network = NetworkID(name: "campus")

    static func run(_ input: inout FuzzInput) {
        let isAnswer = input.byte() & 1 != 0
        let line = input.all()
        if isAnswer { answer(line) } else { request(line) }
    }

    private static func request(_ line: [UInt8]) {
        guard let request: ControlRequest = ControlLine.decode(line) else { return }
        let written = ControlLine.encode(request)
        guard let again: ControlRequest = ControlLine.decode(written) else { broken("what was written cannot be read") }
        if again != request { broken("what was written reads as something else") }
        if written.dropLast().contains(UInt8(ascii: "\n")) { broken("a request of two lines") }
        switch request {
        case .append(let kind, let payload, _): _ = try? Payload.decode(kind: kind, bytes: Array(payload))
        case .deletePost(let id, _): _ = Base32.decode(id).flatMap { EntryID($0) }
        case .importChunks(let body, _): _ = try? Message(Frame(type: ChunksFrame.type, body: Array(body)))
        case .importChanges(let body, _): _ = try? Message(Frame(type: ChangesFrame.type, body: Array(body)))
        case .settle(let bytes): _ = try? SignedSettlement(verifying: Array(bytes), network: network)
        case .status, .peersChanged, .keyChanged, .unlock, .sync, .releaseOwnLog, .stop: break
        }
    }

    private static func answer(_ line: [UInt8]) {
        guard let response: ControlResponse = ControlLine.decode(line) else { return }
        let written = ControlLine.encode(response)
        guard let again: ControlResponse = ControlLine.decode(written) else {
            broken("what was written cannot be read")
        }
        if again != response { broken("what was written reads as something else") }
        if case .refused(let refusal) = response { _ = refusal.refusal }
    }
}
