import Entries
import GRDB
import Sodium
import Testing

@testable import Storage

/// What a home knows of itself, and how its own log goes on.
@Suite struct OwnLogTests {
    private let here = HomeFacts(machine: "m", fileSystem: "f", inode: 1, birth: 2)

    private func post(_ text: String, _ reply: Post.Reply? = nil) throws -> Payload {
        .post(try Post(salt: .test, text: text, reply: reply))
    }

    private func own(person: UInt8 = 1) throws -> (EntryStore, Device) {
        let device = try Device(person: person)
        let store = try EntryStore.inMemory()
        try store.registerOwnLog(device.certificate)
        return (store, device)
    }

    @discardableResult
    private func append(_ payload: Payload, _ store: EntryStore, _ device: Device, at now: UInt64 = 10) throws
        -> EntryID
    {
        let own = try store.append(payload, with: device.key, at: now, publication: .held)
        return try #require(own.chunk.entries.last).id
    }

    @Test func `Why there is no key is not guessed where the database cannot be read`() throws {
        let (store, _) = try own()
        #expect(try store.refusal(for: .absent) == .signingStopped)
        #expect(try store.refusal(for: .locked) == .locked)
        #expect(try EntryStore.inMemory().refusal(for: .locked) == .noOwnLog)
        try store.writer.writeWithoutTransaction { try $0.execute(sql: "ALTER TABLE home RENAME TO gone") }
        #expect(throws: StorageError.self) { try store.refusal(for: .locked) }
    }

    @Test func `Facts are recorded once and compared`() throws {
        let (store, _) = try own()
        #expect(try store.check(HomeFacts(machine: nil, inode: 1)) == .recorded)
        #expect(try store.check(here) == .recorded)
        #expect(try store.check(here) == .same)
        #expect(try store.check(HomeFacts()) == .same)
        #expect(try store.reader.signingStop() == nil)
    }

    @Test(arguments: [
        HomeFacts(machine: "other", fileSystem: "f", inode: 1, birth: 2),
        HomeFacts(machine: "m", fileSystem: "other", inode: 1, birth: 2),
        HomeFacts(machine: "m", fileSystem: "f", inode: 9, birth: 2),
        HomeFacts(machine: nil, fileSystem: nil, inode: nil, birth: 9),
    ])
    func `One fact that differs stops signing`(facts: HomeFacts) throws {
        let (store, device) = try own()
        _ = try store.check(here)
        #expect(try store.reader.signingStop(at: facts) == .copied)
        #expect(try store.check(facts) == .moved)
        #expect(throws: AppendError.refused(.signingStopped)) { try append(try post("x"), store, device) }
        // Back where it was it stays stopped: a person decides.
        _ = try store.check(here)
        #expect(try store.reader.signingStop() == .copied)
        let kept = try store.resumeOwnLog(with: device.key, facts: facts, at: 5)
        #expect(kept == Continuation(log: device.log, rewritten: 0, carriage: .carried))
        #expect(try store.check(facts) == .same)
        try append(try post("x"), store, device)
    }

    @Test func `A hub that moves records where it is`() throws {
        let store = try EntryStore.inMemory()
        _ = try store.check(here)
        #expect(try store.check(HomeFacts(machine: "other")) == .recorded)
        #expect(try store.reader.signingStop() == nil)
    }

    @Test func `What a file took away is not taken back`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try append(try post("\(number)"), store, device) }
        var noted = TakeBatch()
        noted.published = 1
        _ = try store.take(noted)
        #expect(try store.releaseOwnLog()?.published == 3)
        // What was made before the node heard of it.
        var stop = TakeBatch()
        stop.stop = OwnLogStop(proof: .otherBranch, published: 1)
        _ = try store.take(stop)
        #expect(try store.state().own == OwnLogState(log: device.log, size: 3, published: 3, signing: .stopped))
    }

    @Test func `What was only noted is taken back`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try append(try post("\(number)"), store, device) }
        var noted = TakeBatch()
        noted.published = 3
        _ = try store.take(noted)
        var stop = TakeBatch()
        stop.stop = OwnLogStop(proof: .otherBranch, published: 1)
        _ = try store.take(stop)
        #expect(try store.state().own?.published == 1)
    }

    @Test func `A weaker reason does not replace a stronger one`() throws {
        let (store, _) = try own()
        _ = try store.check(here)
        try store.stopSigning(.diverged)
        try store.stopSigning(.longer)
        _ = try store.check(HomeFacts(machine: "other"))
        #expect(try store.reader.signingStop() == .diverged)
    }

    private func settling(_ device: Device, at size: UInt64, _ root: Bytes32) throws -> TakeBatch {
        var batch = TakeBatch()
        let known = KnownRoot(size: size, root: root)
        let signed = try Device.settlement(device.person, device.log, known, serial: 5)
        batch.settlements = [SettlementArrival(signed: signed, certificate: device.certificate, source: nil)]
        return batch
    }

    @Test(arguments: [2, 3] as [UInt64])
    func `What the root key settles has left`(size: UInt64) throws {
        let (store, device) = try own()
        for number in 0..<3 { try append(try post("\(number)"), store, device) }
        #expect(try store.state().own == OwnLogState(log: device.log, size: 3, published: 0))
        let nodes = try #require(try store.prefixNodes(of: device.log, end: size))
        let root = try #require(LogRange(bounds: 0..<size, nodes: nodes)?.root)
        _ = try store.take(settling(device, at: size, root))
        #expect(
            try store.state().own == OwnLogState(log: device.log, size: size, published: size, signing: .stopped)
        )
        // A file may have it too.
        let release = try #require(try store.reader.ownRelease())
        #expect(release.size == size && release.published == size)
    }

    @Test func `Another settled history leaves what is here where it is`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try append(try post("\(number)"), store, device) }
        _ = try store.take(settling(device, at: 2, Bytes32()))
        #expect(try store.state().own?.published == 0)
    }

    @Test func `Another log of the same person takes the place of the own`() throws {
        let (store, old) = try own()
        let first = try append(try post("old"), store, old)
        try store.stopSigning(.copied)
        let new = try Device(person: 1, device: 2)
        #expect(try store.reader.highestSerial(of: old.identity) == 1)
        let continuation = try store.replaceOwnLog(new.certificate, with: new.key, facts: here, at: 20)
        #expect(continuation == Continuation(log: new.log, rewritten: 0, carriage: .carried))
        #expect(try store.state().own == OwnLogState(log: new.log, size: 0, published: 0))
        #expect(try store.reader.highestSerial(of: old.identity) == 2)
        let second = try append(try post("new"), store, new, at: 30)
        #expect(try store.feed() == [second, first])
        let rows = try store.reader.devices(of: old.identity)
        #expect(rows.map(\.log) == [old.log, new.log])
        #expect(rows.map(\.ownership) == [.other, .own])
        #expect(throws: AppendError.refused(.wrongKey)) { try append(try post("x"), store, old) }
    }

    @Test func `Another persons log is refused`() throws {
        let (store, _) = try own()
        let stranger = try Device(person: 2)
        #expect(throws: StorageError.ownLogExists) {
            try store.replaceOwnLog(stranger.certificate, with: stranger.key, facts: here, at: 1)
        }
        let elsewhere = try Device(person: 1, device: 2, network: NetworkID(name: "elsewhere"))
        #expect(throws: StorageError.foreignNetwork) {
            try store.replaceOwnLog(elsewhere.certificate, with: elsewhere.key, facts: here, at: 1)
        }
    }

    @Test func `Entries of the own log that others bring stop signing in the same transaction`() throws {
        let (store, device) = try own()
        for number in 0..<2 { try device.post("\(number)", time: 1) }
        try store.take(device.chunk())
        #expect(try store.reader.signingStop() == .longer)
        #expect(
            try store.state().own == OwnLogState(log: device.log, size: 2, published: 2, signing: .stopped)
        )
    }

    @Test func `What is not here up to a head is not continued`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try device.post("\(number)", time: 1) }
        try store.take(device.chunk(0..<2, size: 3))
        #expect(throws: StorageError.ownLogIncomplete) {
            try store.resumeOwnLog(with: device.key, facts: here, at: 1)
        }
        try store.take(device.chunk(2..<3))
        _ = try store.resumeOwnLog(with: device.key, facts: here, at: 1)
        try append(try post("x"), store, device)
    }

    @Test func `What a peer holds and is not here is not signed again`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try device.post("\(number)", time: 1) }
        try store.take(device.chunk())
        #expect(throws: StorageError.ownLogIncomplete) {
            try store.resumeOwnLog(with: device.key, facts: here, shown: 5, at: 1)
        }
        #expect(throws: AppendError.refused(.signingStopped)) { try append(try post("x"), store, device) }
        _ = try store.resumeOwnLog(with: device.key, facts: here, shown: 3, at: 1)
        try append(try post("x"), store, device)
    }

    /// A home that published one post, wrote four entries more, and then met another branch.
    private func diverged() throws -> (store: EntryStore, device: Device, published: EntryID, question: EntryID) {
        let (store, device) = try own()
        let published = try device.post("published", time: 1)
        try store.take(device.chunk())
        _ = try store.resumeOwnLog(with: device.key, facts: here, at: 1)
        let question = try append(try post("question"), store, device)
        try append(try post("answer", .init(parent: question, root: question)), store, device)
        try append(
            .vote(try Vote(choices: [.init(post: question, value: .up), .init(post: published, value: .up)])),
            store,
            device
        )
        try append(.edit(try Edit(salt: .test, post: question, text: "question, edited")), store, device)
        let wrong = try append(try post("gone"), store, device)
        _ = try store.deleteOwn(post: wrong, with: device.key, at: 11, publication: .held)
        var batch = TakeBatch()
        batch.setAside = [device.log]
        _ = try store.take(batch)
        return (store, device, published, question)
    }

    @Test func `What left this home is not signed again after it was taken off without the key`() throws {
        let (store, device, _, _) = try diverged()
        #expect(try store.withdrawWithoutKey())
        #expect(throws: StorageError.ownLogIncomplete) {
            try store.resumeOwnLog(with: device.key, facts: here, at: 20)
        }
        // It comes back from whoever has it.
        try store.take(device.chunk())
        #expect(try store.resumeOwnLog(with: device.key, facts: here, at: 21).rewritten == 4)
    }

    @Test func `Nothing is taken off a log that did not diverge`() throws {
        let (store, device) = try own()
        try append(try post("held"), store, device)
        #expect(try !store.withdraw(with: device.key))
        try store.stopSigning(.copied)
        #expect(try !store.withdraw(with: device.key))
        #expect(try store.state().own?.size == 1)
    }

    @Test func `What never left is taken off and signed again behind the other branch`() throws {
        let (store, device, published, question) = try diverged()
        #expect(try store.reader.signingStop() == .diverged)
        #expect(try store.withdraw(with: device.key))
        #expect(try !store.withdraw(with: device.key))
        #expect(try store.state().own == OwnLogState(log: device.log, size: 1, published: 1, signing: .stopped))
        #expect(try store.state().setAside.isEmpty)
        #expect(try store.feed() == [published])
        #expect(try store.reader.withdrawnEntries() == 6)
        #expect(try store.verifiesElsewhere(device.log))

        // The other branch comes.
        let other = try device.post("elsewhere", time: 5)
        try store.take(device.chunk(1..<2))
        #expect(try store.feed() == [other, published])
        let kept = try store.resumeOwnLog(with: device.key, facts: here, at: 50)
        // The deleted post is gone, and its delete with it.
        #expect(kept.rewritten == 4)
        let feed = try store.feed()
        #expect(feed.count == 4 && !feed.contains(question))
        let texts = try feed.compactMap { try store.text(of: $0) }
        #expect(Set(texts) == ["published", "elsewhere", "question, edited", "answer"])
        let asked = try #require(try feed.first { try store.text(of: $0) == "question, edited" })
        let answer = try #require(try feed.first { try store.text(of: $0) == "answer" })
        #expect(try store.reader.post(answer, reader: nil)?.reply?.parent == asked)
        #expect(try store.reader.post(asked, reader: nil)?.up == 1)
        #expect(try store.reader.post(published, reader: nil)?.up == 1)
        #expect(try store.reader.withdrawnEntries() == 0)
        #expect(try store.verifiesElsewhere(device.log))
        let dump = try store.derivedDump()
        _ = try store.rebuild()
        #expect(try store.derivedDump() == dump)
        try append(try post("goes on"), store, device)
    }

    @Test func `What never left is signed again in a new log`() throws {
        let (store, device, _, _) = try diverged()
        #expect(try store.withdraw(with: device.key))
        let new = try Device(person: 1, device: 2)
        let continuation = try store.replaceOwnLog(new.certificate, with: new.key, facts: here, at: 20)
        #expect(continuation.rewritten == 4)
        #expect(try store.feed().count == 3)
        #expect(try store.verifiesElsewhere(new.log))
        #expect(try store.state().own?.size == 4)
    }

    @Test func `What came back as it was is not signed twice`() throws {
        let (store, device) = try own()
        let text = try post("the same")
        let entry = Entry(
            flags: EntryHeader.erasableFlag,
            kind: text.kind.rawValue,
            log: device.log,
            sequence: 0,
            time: 10,
            clock: 10,
            payload: text.encode()
        )
        #expect(try append(text, store, device) == entry.id)
        try store.stopSigning(.diverged)
        #expect(try store.withdraw(with: device.key))
        #expect(try store.feed().isEmpty)
        device.write(text, time: 10)
        try device.post("and more", time: 20)
        try store.take(device.chunk())
        let kept = try store.resumeOwnLog(with: device.key, facts: here, at: 50)
        #expect(kept.rewritten == 0)
        #expect(try store.feed().count == 2)
    }

    @Test func `Without the old key the whole log is taken off and comes back from peers`() throws {
        let (store, device, published, _) = try diverged()
        #expect(try store.withdrawWithoutKey())
        #expect(try !store.withdrawWithoutKey())
        #expect(try store.feed().isEmpty)
        let new = try Device(person: 1, device: 2)
        let continuation = try store.replaceOwnLog(new.certificate, with: new.key, facts: here, at: 20)
        #expect(continuation.rewritten == 4)
        let other = try device.post("elsewhere", time: 5)
        try store.take(device.chunk(0..<2))
        let feed = try store.feed()
        #expect(feed.count == 4 && feed.contains(published) && feed.contains(other))
        #expect(try store.verifiesElsewhere(new.log) && store.verifiesElsewhere(device.log))
    }

    @Test func `Two devices with one serial are both carried and listed in one order`() throws {
        let store = try EntryStore.inMemory()
        let devices = try [2, 3, 4].map { try Device(person: 1, device: $0, serial: 7) }
        for device in devices {
            try device.post("x", time: 1)
            try store.take(device.chunk())
        }
        let rows = try store.reader.devices(of: devices[0].identity)
        #expect(rows.map(\.log) == devices.map(\.log).sorted())
        #expect(rows.allSatisfy { $0.serial == 7 && $0.size == 1 })
        #expect(try store.reader.highestSerial(of: devices[0].identity) == 7)
    }

    /// A home with two entries of which one left, and where a peer has another second one.
    private func disputed(published: UInt64) throws -> (EntryStore, Device, TakeBatch) {
        let (store, device) = try own()
        try device.post("published", time: 1)
        try store.take(device.chunk())
        _ = try store.resumeOwnLog(with: device.key, facts: here, at: 1)
        try append(try post("here"), store, device)
        var note = TakeBatch()
        note.published = published
        _ = try store.take(note)
        let other = try device.post("elsewhere", time: 5)
        let head = try #require(try device.chunk(1..<2).head)
        var batch = TakeBatch()
        batch.findings = [
            ForkFinding(
                log: device.log,
                sequence: 1,
                leaf: other,
                right: LogRange(at: 2),
                proof: .head(size: 2, head.signature)
            )
        ]
        return (store, device, batch)
    }

    @Test func `A difference in what never left is no fork and is taken off`() throws {
        let (store, device, batch) = try disputed(published: 1)
        let report = try store.take(batch)
        #expect(report.standings.isEmpty)
        #expect(try store.reader.signingStop() == .diverged)
        #expect(try store.withdraw(with: device.key))
        try store.take(device.chunk(1..<2))
        #expect(try store.resumeOwnLog(with: device.key, facts: here, at: 9).rewritten == 1)
        #expect(try store.feed().count == 3)
        #expect(try store.reader.devices(of: device.identity).map(\.state) == [.writing])
    }

    @Test func `A fork of what left stops the log for good`() throws {
        let (store, device, batch) = try disputed(published: 2)
        _ = try store.take(batch)
        #expect(try store.reader.signingStop() == .forked)
        #expect(try !store.withdraw(with: device.key))
        #expect(throws: StorageError.ownLogEnded) { try store.resumeOwnLog(with: device.key, facts: here, at: 9) }
        let new = try Device(person: 1, device: 2)
        _ = try store.replaceOwnLog(new.certificate, with: new.key, facts: here, at: 9)
        #expect(try store.reader.signingStop() == nil)
        try append(try post("goes on"), store, new)
    }

    @Test func `An account that ended has no new log`() throws {
        let (store, device) = try own()
        try append(try post("before"), store, device)
        let end = try Device.settlement(1, nil, KnownRoot(size: 0, root: .zero), serial: 9)
        var batch = TakeBatch()
        batch.settlements = [SettlementArrival(signed: end, certificate: nil, source: nil)]
        _ = try store.take(batch)
        #expect(try store.reader.signingStop() == .ended)
        let new = try Device(person: 1, device: 2)
        #expect(throws: StorageError.ownLogEnded) {
            try store.replaceOwnLog(new.certificate, with: new.key, facts: here, at: 9)
        }
    }

    @Test func `What was taken off goes with the account`() throws {
        let (store, device, _, _) = try diverged()
        #expect(try store.withdraw(with: device.key))
        #expect(try store.reader.withdrawnEntries() > 0)
        let end = try Device.settlement(1, nil, KnownRoot(size: 0, root: .zero), serial: 9)
        var batch = TakeBatch()
        batch.settlements = [SettlementArrival(signed: end, certificate: nil, source: nil)]
        _ = try store.take(batch)
        #expect(try store.reader.withdrawnEntries() == 0)
    }

    @Test func `With another key nothing is taken off`() throws {
        let (store, _, _, _) = try diverged()
        #expect(try !store.withdraw(with: Device(person: 1, device: 3).key))
        #expect(try store.state().own?.size == 7)
    }
}

extension EntryStore {
    /// Whether a log is served so that a store that knows nothing takes all of it.
    fileprivate func verifiesElsewhere(_ log: LogID) throws -> Bool {
        let want = RangeWant(log: log, from: 0, certificate: .send)
        guard case .chunk(let chunk)? = try ranges([want], byteLimit: 1 << 20).first,
            let verified = ChunkVerifier(network: Device.network).verify(chunk, over: .none).verified
        else { return false }
        return verified.reachesHead
    }
}
