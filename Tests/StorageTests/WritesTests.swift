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

    private func take(_ device: Device, _ retry: Retry) throws {
        var batch = TakeBatch()
        batch.chunks = [.init(chunk: try device.chunk(), source: NodeID(raw: .zero))]
        try store.take(batch, retry)
    }

    private static let long = String(repeating: "x", count: 60_000)

    @Test func `What peers brought and the disk did not take is told of until it is stored`() throws {
        let device = try Device(person: 2)
        try device.post(Self.long, time: 1)
        #expect(store.writeFailure == nil)
        try store.setRoom(.exhausted)
        #expect(throws: StorageError.diskFull) { try take(device, .again) }
        #expect(store.writeFailure == .diskFull)
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == .diskFull && store.isBehind, "what was brought is still not here")
        try take(device, .again)
        #expect(store.writeFailure == nil && !store.isBehind)
    }

    @Test func `A file that did not fit is told of until anything fits, since nobody brings it again`() throws {
        let device = try Device(person: 2)
        try device.post(Self.long, time: 1)
        try store.setRoom(.exhausted)
        #expect(throws: StorageError.diskFull) { try take(device, .once) }
        #expect(store.writeFailure == .diskFull)
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == nil)
    }

    @Test func `A post that did not fit is told of until one fits, and a refusal is no failure`() throws {
        try store.setRoom(.exhausted)
        #expect(throws: AppendError.storage(.diskFull)) { try append(Self.long) }
        #expect(store.writeFailure == .diskFull && !store.isBehind, "nothing that has come is missing")
        try store.setRoom(.unlimited)
        try append("short")
        #expect(store.writeFailure == nil)
        let stranger = try Device(person: 2)
        #expect(throws: AppendError.refused(.wrongKey)) {
            try store.append(.post(Post(salt: .test, text: "x")), with: stranger.key, at: 1, publication: .held)
        }
        #expect(store.writeFailure == nil)
    }

    @Test func `What whoever asked was told is told for ten minutes, and what is still missing without end`() {
        let now = ContinuousClock.now
        var writes = Writes()
        writes.failed(.once, .diskFull, at: now)
        #expect(writes.failure(at: now + .seconds(599)) == .diskFull && !writes.isBehind)
        #expect(writes.failure(at: now + .seconds(600)) == nil)
        writes.failed(.again, .diskFull, at: now)
        #expect(writes.failure(at: now + .seconds(86_400)) == .diskFull && writes.isBehind)
        writes.succeeded(.once)
        #expect(writes.failure(at: now) == .diskFull && writes.isBehind)
        writes.succeeded(.again)
        #expect(writes.failure(at: now) == nil && !writes.isBehind)
    }
}
