import Entries
import Sodium
import Synchronization
import Testing

@testable import Storage

/// What is kept outside a home tells a database that is older than what ran, and never an honest one.
@Suite struct HomeWitnessTests {
    private let here = HomeFacts(machine: "m", inode: 1, birth: 2)

    /// The file outside, which may take no more writes.
    private final class Outside: Sendable {
        private let state = Mutex<(bytes: [UInt8]?, isWritable: Bool)>((nil, true))

        var bytes: [UInt8]? {
            get { state.withLock { $0.bytes } }
            set { state.withLock { $0.bytes = newValue } }
        }

        /// As after a kill between the commit and the write.
        func stop() { state.withLock { $0.isWritable = false } }
        func go() { state.withLock { $0.isWritable = true } }

        var witness: HomeWitness {
            HomeWitness(read: { self.bytes }) { bytes, _ in
                self.state.withLock { state in
                    if state.isWritable { state.bytes = bytes }
                    return state.isWritable
                }
            }
        }
    }

    private func post(_ text: String, _ store: EntryStore, _ device: Device) throws {
        let payload = Payload.post(try Post(salt: .test, text: text))
        _ = try store.append(payload, with: device.key, at: 10, publication: .held)
    }

    private func store(_ device: Device, posts: Int = 0) throws -> EntryStore {
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(device.certificate)
        for number in 0..<posts { try post("\(number)", store, device) }
        return store
    }

    @Test func `What is noted later is noted once for all, and at the end in any case`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let store = try store(device)
        #expect(try store.check(here, witness: outside.witness) == .recorded)
        store.noteOwnLogLater()
        let before = outside.bytes
        for number in 0..<3 { try post("\(number)", store, device) }
        #expect(outside.bytes == before)
        store.noteOwnLog()
        #expect(outside.witness.said()?.size == 3)
        try post("more", store, device)
        #expect(outside.witness.said()?.size == 3)
        try store.close()
        #expect(outside.witness.said()?.size == 4)
    }

    @Test func `What is to be noted of a log is not once the home goes on with another`() throws {
        let (device, next, outside) = (try Device(person: 1), try Device(person: 1, device: 2), Outside())
        let store = try store(device)
        _ = try store.check(here, witness: outside.witness)
        store.noteOwnLogLater()
        try post("the last of the old log", store, device)
        _ = try store.replaceOwnLog(next.certificate, with: next.key, facts: here, at: 20)
        store.noteOwnLog()
        #expect(outside.witness.said()?.log == next.log)
    }

    @Test func `An older database in the same file signs nothing`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let new = try store(device)
        #expect(try new.check(here, witness: outside.witness) == .recorded)
        for number in 0..<3 { try post("\(number)", new, device) }
        #expect(try new.check(here, witness: outside.witness) == .same)

        let old = try store(device, posts: 2)
        _ = try old.check(here)
        #expect(try old.reader.signingStop(at: here, witness: outside.witness) == .copied)
        #expect(try old.check(here, witness: outside.witness) == .moved)
        #expect(throws: AppendError.refused(.signingStopped)) { try post("x", old, device) }
        // The newest one again: nothing was said by the old one.
        #expect(try new.check(here, witness: outside.witness) == .same)

        _ = try old.resumeOwnLog(with: device.key, facts: here, at: 5)
        #expect(try old.check(here, witness: outside.witness) == .same)
        try post("x", old, device)
        #expect(try old.reader.signingStop(at: here, witness: outside.witness) == nil)
    }

    @Test func `A database that holds as much or more signs`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let first = try store(device, posts: 2)
        _ = try first.check(here, witness: outside.witness)
        for posts in 2...4 {
            let other = try store(device, posts: posts)
            #expect(try other.check(here, witness: outside.witness) == .recorded)
            #expect(try other.reader.signingStop(at: here, witness: outside.witness) == nil)
        }
    }

    @Test func `Words about another file or torn ones say nothing`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        _ = try store(device, posts: 3).check(here, witness: outside.witness)
        let whole = try #require(outside.bytes)
        #expect(whole.count == 256)
        let elsewhere = HomeFacts(machine: "m", inode: 7, birth: 2)
        #expect(try store(device).check(elsewhere, witness: outside.witness) == .recorded)
        for cut in 0..<200 {
            outside.bytes = Array(whole.prefix(cut))
            let isWhole = whole[cut...].allSatisfy { $0 == UInt8(ascii: "\n") }
            let expected: SigningStop? = isWhole ? .copied : nil
            let store = try store(device)
            #expect(try store.reader.signingStop(at: here, witness: outside.witness) == expected, "\(cut)")
        }
        for index in 0..<whole.count where whole[index] != UInt8(ascii: "\n") {
            var bytes = whole
            bytes[index] ^= 1
            outside.bytes = bytes
            #expect(try store(device).reader.signingStop(at: here, witness: outside.witness) == nil, "\(index)")
        }
        outside.bytes = nil
        #expect(try store(device).check(here, witness: outside.witness) == .recorded)
    }

    @Test func `A kill between the commit and the words concludes nothing`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let store = try store(device)
        _ = try store.check(here, witness: outside.witness)
        try post("1", store, device)
        outside.stop()
        try post("2", store, device)
        outside.go()
        #expect(try store.check(here, witness: outside.witness) == .same)
        try post("3", store, device)
        #expect(try store.reader.signingStop(at: here, witness: outside.witness) == nil)
    }

    @Test func `A log that became shorter by decision is not called old`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let store = try store(device)
        _ = try store.check(here, witness: outside.witness)
        for number in 0..<3 { try post("\(number)", store, device) }
        var stop = TakeBatch()
        stop.stop = OwnLogStop(proof: .otherBranch, published: 1)
        _ = try store.take(stop)
        try store.withdraw(with: device.key)
        #expect(try store.check(here, witness: outside.witness) == .same)
        #expect(try store.reader.signingStop(at: here, witness: outside.witness) == .diverged)
        // Killed behind the decision, ahead of what is said of it.
        _ = try store.resumeOwnLog(with: device.key, facts: here, at: 5)
        #expect(try store.check(here, witness: outside.witness) == .same)
        #expect(try store.reader.signingStop(at: here, witness: outside.witness) == nil)
    }

    @Test func `A new log of the same home is said`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let store = try store(device)
        _ = try store.check(here, witness: outside.witness)
        for number in 0..<3 { try post("\(number)", store, device) }
        let next = try Device(person: 1, device: 2)
        _ = try store.replaceOwnLog(next.certificate, with: next.key, facts: here, at: 20)
        #expect(try store.check(here, witness: outside.witness) == .same)
        // From before that.
        let old = try self.store(device, posts: 3)
        #expect(try old.check(here, witness: outside.witness) == .moved)
    }

    @Test func `A decision that cannot be said is not taken`() throws {
        let (device, outside) = (try Device(person: 1), Outside())
        let new = try store(device, posts: 3)
        _ = try new.check(here, witness: outside.witness)
        let old = try store(device)
        _ = try old.check(here, witness: outside.witness)
        outside.stop()
        #expect(throws: StorageError.self) { try old.resumeOwnLog(with: device.key, facts: here, at: 5) }
        #expect(try old.reader.signingStop() == .copied)
    }
}
