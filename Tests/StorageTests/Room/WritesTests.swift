import Entries
import Sodium
import Testing

@testable import Storage

/// What the store says of its last writes, for a person who asks whether the disk takes them.
@Suite struct WritesTests {
    private let own: Device
    private let store: EntryStore

    init() throws {
        own = try Device(person: 1)
        store = try EntryStore.inMemory()
        try store.registerOwnLog(own.certificate)
    }

    private func append(_ text: String) throws {
        let post = Payload.post(try Post(salt: .test, text: text))
        _ = try store.append(post, with: own.key, at: 1, publication: .held)
    }

    private func take(_ device: Device, again: Bool) throws {
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: try device.chunk(), source: NodeID(raw: .zero))]
        try store.take(batch, isTriedAgain: again)
    }

    private static let long = String(repeating: "x", count: 60_000)

    @Test func `What peers brought and the disk did not take is told of until it is stored`() throws {
        let device = try Device(person: 2)
        try device.post(Self.long, time: 1)
        #expect(store.writeFailure == nil)
        try store.setRoom(.exhausted)
        #expect(throws: StorageError.diskFull) { try take(device, again: true) }
        #expect(store.writeFailure == .diskFull)
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == .diskFull, "what was brought is still not here")
        try take(device, again: true)
        #expect(store.writeFailure == nil)
    }

    @Test func `A file that did not fit is told of until anything fits, since nobody brings it again`() throws {
        let device = try Device(person: 2)
        try device.post(Self.long, time: 1)
        try store.setRoom(.exhausted)
        #expect(throws: StorageError.diskFull) { try take(device, again: false) }
        #expect(store.writeFailure == .diskFull)
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == nil)
    }

    @Test func `A post that did not fit is told of until one fits, and a refusal is no failure`() throws {
        try store.setRoom(.exhausted)
        #expect(throws: AppendError.storage(.diskFull)) { try append(Self.long) }
        #expect(store.writeFailure == .diskFull)
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == nil)
        let stranger = try Device(person: 2)
        #expect(throws: AppendError.refused(.wrongKey)) {
            try store.append(.post(Post(salt: .test, text: "x")), with: stranger.key, at: 1, publication: .held)
        }
        #expect(store.writeFailure == nil)
    }
}
