import Entries
import Sodium
import Testing

@testable import Storage

@Suite struct AppendTests {
    private func post(_ text: String) throws -> Payload { .post(try Post(salt: .test, text: text)) }

    private func own(_ home: TestHome? = nil) throws -> (EntryStore, Device) {
        let device = try Device(person: 1)
        let store = try home?.open() ?? .inMemory()
        try store.registerOwnLog(device.certificate)
        return (store, device)
    }

    @discardableResult
    private func append(_ payload: Payload, to store: EntryStore, _ device: Device, at now: UInt64 = 10) throws
        -> EntryID
    {
        let own = try store.append(payload, with: device.key, at: now, publication: .cleared)
        return try #require(own.chunk.entries.last).id
    }

    private func refusal(_ body: () throws -> Void) -> AppendRefusal? {
        do {
            try body()
            return nil
        } catch AppendError.refused(let refusal) {
            return refusal
        } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test func `What is appended verifies elsewhere`() throws {
        let (store, device) = try own()
        var number: UInt64 = 0
        for text in ["one", "two", "three"] {
            let own = try store.append(try post(text), with: device.key, at: 10, publication: .held)
            number += 1
            #expect(own.row.number == number && own.row.size == number && own.row.source == nil)
        }
        let want = RangeWant(log: device.log, from: 0, certificate: .send)
        guard case .chunk(let chunk)? = try store.ranges([want], byteLimit: 9_999).first else {
            Issue.record("the own log is there")
            return
        }
        let other = try EntryStore.inMemory()
        try other.take(try #require(ChunkVerifier(network: Device.network).verify(chunk, over: .none).verified))
        #expect(try other.feed() == store.feed())
        #expect(try other.reader.fingerprint() == store.reader.fingerprint())
    }

    @Test func `Published moves only once cleared`() throws {
        let (store, device) = try own()
        _ = try store.append(try post("held"), with: device.key, at: 1, publication: .held)
        #expect(try store.state().own == OwnLogState(log: device.log, size: 1, published: 0))
        var batch = TakeBatch()
        batch.published = 1
        _ = try store.take(batch)
        #expect(try store.state().own?.published == 1)
        _ = try store.append(try post("sent"), with: device.key, at: 1, publication: .cleared)
        #expect(try store.state().own?.published == 2)
        batch.published = 0
        _ = try store.take(batch)
        #expect(try store.state().own?.published == 2)
    }

    @Test func `The clock never stands still`() throws {
        let (store, device) = try own()
        let clocks = try ([1_000, 5, 1_000, 2_000] as [UInt64]).map { now in
            let own = try store.append(try post("x"), with: device.key, at: now, publication: .cleared)
            return try #require(own.chunk.entries.first).header.clock
        }
        #expect(clocks == [1_000, 1_001, 1_002, 2_000])
    }

    @Test func `The clock follows other devices of the same person and ends at its maximum`() throws {
        let (store, device) = try own()
        let laptop = try Device(person: 1, device: 2)
        let stranger = try Device(person: 2)
        laptop.write(try post("elsewhere"), time: 7, clock: 90_000)
        stranger.write(try post("somebody"), time: 7, clock: 500_000)
        try store.take(laptop.chunk(), stranger.chunk())
        var own = try store.append(try post("x"), with: device.key, at: 7, publication: .cleared)
        #expect(own.chunk.entries.first?.header.clock == 90_001)
        laptop.write(try post("broken clock"), time: 7, clock: .max)
        try store.take(laptop.chunk(1..<2))
        own = try store.append(try post("x"), with: device.key, at: 7, publication: .cleared)
        #expect(own.chunk.entries.first?.header.clock == EntryLimits.maximumClock)
    }

    @Test func `A hub signs nothing`() throws {
        let device = try Device(person: 1)
        let store = try EntryStore.inMemory()
        #expect(refusal { try append(try post("x"), to: store, device) } == .noOwnLog)
    }

    @Test func `Another key than the logs is refused`() throws {
        let (store, _) = try own()
        let other = try Device(person: 1, device: 2)
        #expect(refusal { try append(try post("x"), to: store, other) } == .wrongKey)
    }

    @Test func `Nothing is signed once signing is stopped`() throws {
        let (store, device) = try own()
        try store.stopSigning(.copied)
        #expect(refusal { try append(try post("x"), to: store, device) } == .signingStopped)
        #expect(try store.reader.status().signing == .stopped)
        _ = try store.resumeOwnLog(with: device.key, facts: HomeFacts(), at: 1)
        try append(try post("x"), to: store, device)
    }

    @Test func `A log that was written elsewhere too is not continued`() throws {
        let (store, device) = try own()
        for number in 0..<3 { try device.post("\(number)", time: 1) }
        try store.take(device.chunk(0..<2, size: 3))
        #expect(refusal { try append(try post("x"), to: store, device) } == .signingStopped)
    }

    @Test func `A payload over the limit is refused and the largest is not`() throws {
        let (store, device) = try own()
        let overhead = try post(String(repeating: "a", count: 40_000)).encode().count - 40_000
        let fitting = String(repeating: "a", count: EntryLimits.maximumPayloadBytes - overhead)
        let id = try append(try post(fitting), to: store, device)
        #expect(try store.text(of: id) == fitting)
        let refused = refusal { try append(try post(fitting + "a"), to: store, device) }
        #expect(refused == .payloadTooLong(bytes: EntryLimits.maximumPayloadBytes + 1))
        #expect(try store.state().own?.size == 1)
    }

    @Test func `Any text comes back as it went`() throws {
        let (store, device) = try own()
        for text in ["", "\0", "/0", "a\u{0}b", "e\u{301}", "\u{202E}rtl", "\u{1B}[31m", "🐿️\u{FFFF}"] {
            let id = try append(try post(text), to: store, device)
            #expect(try Array(store.text(of: id)?.unicodeScalars ?? "?".unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func `Only own posts that exist are edited and deleted`() throws {
        let (store, device) = try own()
        let stranger = try Device(person: 2)
        let theirs = try stranger.post("theirs", time: 1)
        try store.take(stranger.chunk())
        let nowhere = EntryID(raw: .zero)
        let edit = { (id: EntryID) throws in Payload.edit(try Edit(salt: .test, post: id, text: "x")) }
        let delete = { (id: EntryID) in Payload.delete(try Delete(entries: [id])) }
        #expect(refusal { try append(try edit(nowhere), to: store, device) } == .unknownPost(nowhere))
        #expect(refusal { try append(try edit(theirs), to: store, device) } == .notOwnPost(theirs))
        #expect(refusal { try append(try delete(nowhere), to: store, device) } == .unknownPost(nowhere))
        #expect(refusal { try append(try delete(theirs), to: store, device) } == .notOwnPost(theirs))
        #expect(
            refusal {
                _ = try store.deleteOwn(post: theirs, with: device.key, at: 1, publication: .held)
            } == .notOwnPost(theirs)
        )
        let mine = try append(try post("mine"), to: store, device)
        try append(try delete(mine), to: store, device)
        #expect(refusal { try append(try edit(mine), to: store, device) } == .deletedPost(mine))
    }

    @Test func `A delete of a post without its body ends the want for it`() throws {
        let (store, device) = try own()
        let laptop = try Device(person: 1, device: 2)
        let id = try laptop.post("written elsewhere", time: 1)
        #expect(try store.take(laptop.chunk(0..<1, withheld: [0])).wantedBodies == [laptop.place(0)])
        let own = try store.deleteOwn(post: id, with: device.key, at: 30, publication: .held)
        #expect(own.unwantedBodies == [laptop.place(0)])
        #expect(try store.state().wantedBodies.isEmpty)
    }

    @Test func `A delete names the post and each edit that is held and later ones are stray`() throws {
        let (store, device) = try own()
        let laptop = try Device(person: 1, device: 2)
        let id = try append(try post("first words"), to: store, device)
        let edit = try append(.edit(try Edit(salt: .test, post: id, text: "second words")), to: store, device, at: 20)
        #expect(try store.text(of: id) == "second words")
        let own = try store.deleteOwn(post: id, with: device.key, at: 30, publication: .cleared)
        guard
            case .delete(let delete)? = try own.chunk.entries.first.flatMap({ entry in
                try entry.payload.map { try Payload.decode(kind: entry.header.kind, bytes: $0) }
            })
        else {
            Issue.record("a delete was appended")
            return
        }
        #expect(delete.entries == [id, edit])
        #expect(try store.reader.post(id, reader: nil)?.isDeleted == true)
        #expect(try store.strayEdits().isEmpty)

        // Others' edits are no reason to look.
        let stranger = try Device(person: 2)
        try stranger.edit(try stranger.post("an acorn", time: 1), to: "a nut", time: 2)
        try store.take(stranger.chunk())
        #expect(!store.claimStrayEdits())
        // One whose body comes late is.
        try laptop.edit(id, to: "third words", time: 40)
        try store.take(laptop.chunk(withheld: [0]))
        #expect(!store.claimStrayEdits())
        let body = try #require(laptop.entries[0].payload)
        try store.take(body: body, of: laptop.place(0))
        #expect(store.claimStrayEdits() && !store.claimStrayEdits())
        #expect(try store.strayEdits() == [id])
        _ = try store.deleteOwn(post: id, with: device.key, at: 50, publication: .cleared)
        #expect(try store.strayEdits().isEmpty)
        #expect(try store.bodies([laptop.place(0)], byteLimit: 99).first?.payload == nil)
        #expect(
            refusal { _ = try store.deleteOwn(post: id, with: device.key, at: 60, publication: .held) }
                == .deletedPost(id)
        )
    }

    @Test func `A home writes one log for ever`() throws {
        let home = try TestHome()
        let (store, device) = try own(home)
        try store.registerOwnLog(device.certificate)
        #expect(throws: StorageError.ownLogExists) {
            try store.registerOwnLog(Device(person: 2).certificate)
        }
        #expect(throws: StorageError.foreignNetwork) {
            try store.registerOwnLog(Device(person: 1, network: NetworkID(name: "other")).certificate)
        }
        try store.close()
        let again = try home.open()
        #expect(try again.ownCertificate() == device.certificate)
        #expect(try again.reader.ownIdentity() == device.identity)
    }

    @Test func `Many drafts stand under one head`() throws {
        let (store, device) = try own()
        let drafts = try (0..<300).map { EntryStore.Draft(payload: try post("\($0)"), time: UInt64($0)) }
        let own = try #require(try store.append(drafts, with: device.key, publication: .held))
        #expect(own.row.size == 300 && own.row.number == 1 && own.chunk.entries.count == 300)
        #expect(try store.feed().count == 300)
    }
}
