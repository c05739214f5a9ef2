import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

@Suite struct CarriedLogsTests {
    private static let words = "Haselmausnest"

    private func devices(_ count: Int, person: UInt8 = 1) throws -> [Device] {
        try (1...count).map { try Device(person: person, device: UInt8($0)) }
    }

    private func fill(_ devices: [Device]) throws {
        for (number, device) in devices.enumerated() { try device.post("\(number)", time: UInt64(number)) }
    }

    @Test func `The seventeenth is refused and a lower one pushes the last out`() throws {
        let devices = try devices(18)
        try fill(devices)
        let store = try EntryStore.inMemory()
        for device in devices[1...16] { #expect(try store.take(device.chunk()).forgotten.isEmpty) }
        let number = try store.state().number
        let refused = try store.take(devices[17].chunk())
        #expect(refused.forgotten == [devices[17].log] && refused.changes.isEmpty)
        #expect(try store.prefixes(of: [devices[17].log]).isEmpty)

        let pushing = try store.take(devices[0].chunk())
        #expect(pushing.forgotten == [devices[16].log])
        #expect(pushing.changes.map(\.log) == [devices[0].log] && pushing.changes.map(\.number) == [number + 1])
        let state = try store.state()
        #expect(Set(state.frontier.map(\.log)) == Set(devices[0...15].map(\.log)))
        #expect(state.number == number + 1)
        #expect(try store.prefixes(of: [devices[16].log]).isEmpty)
        #expect(try store.feed() == devices[0...15].reversed().map { $0.entries[0].id })
        #expect(try store.reader.status().logs == 16)
        let want = RangeWant(log: devices[16].log, from: 0, certificate: .send)
        #expect(try store.ranges([want], byteLimit: 999) == [.lacking(devices[16].log)])
    }

    @Test func `A fork of a log that would not be carried any more forgets it`() throws {
        let devices = try devices(17)
        let posts = try (0..<4).map { Payload.post(try Post(salt: .test, text: "\($0)")) }
        let log = ForkedLog(
            devices[16],
            [(of: 0, keep: 0, then: Array(posts[..<3])), (of: 0, keep: 0, then: Array(posts[1...]))]
        )
        let store = try EntryStore.inMemory()
        try fill(Array(devices[..<16]))
        for device in devices[1..<16] { try store.take(device.chunk()) }
        // Room for one more, whose head is not reached yet; then a log that comes before it takes the room.
        try store.take(log.chunk(0, 0..<2, size: 3))
        try store.take(devices[0].chunk())
        #expect(try store.prefixes(of: [log.log]).count == 1)
        let proof = ForkFinding.Proof.head(size: 3, log.head(1, 3).signature)
        let report = try store.take(log.finding(1, at: 0, of: 3, proof: proof))
        #expect(report.forgotten == [log.log] && report.changes.isEmpty && report.standings.isEmpty)
        #expect(try store.prefixes(of: [log.log]).isEmpty)
        store.expectRowsAsInTheFile()
        // The next log may get its number.
        let other = try Device(person: 2)
        try other.post("2", time: 2)
        #expect(try store.take(other.chunk()).changes.map(\.log) == [other.log])
        #expect(try store.take(log.chunk(0, 2..<3, size: 3)).changes.isEmpty)
        store.expectRowsAsInTheFile()
        #expect(try store.reader.status().logs == 17)
    }

    @Test func `What is counted anew is reported`() throws {
        let devices = try devices(17)
        try fill(devices)
        for time in 100..<UInt64(149) { try devices[3].post("more", time: time) }
        let choices = devices[1...9].map { Vote.Choice(post: $0.entries[0].id, value: .up) }
        let votes = Payload.vote(try Vote(choices: choices))
        devices[3].write(votes, time: 149)
        let store = try EntryStore.inMemory()
        for device in devices[1...16] { #expect(try store.take(device.chunk()).recounted.isEmpty) }
        let report = try store.take(devices[0].chunk())
        #expect(report.forgotten == [devices[16].log])
        let bytes = UInt64(votes.encode().count)
        #expect(bytes > 9 * 32)
        let recount = TakeReport.Recount(identity: devices[0].identity, entries: 66, choiceBytes: bytes)
        #expect(report.recounted == [recount])
        try devices[0].post("next", time: 200)
        #expect(try store.take(devices[0].chunk(1..<2)).recounted.isEmpty)
    }

    @Test func `A pending log takes no place and is dropped when its head would complete`() throws {
        let devices = try devices(17)
        try fill(devices)
        try devices[16].post("more", time: 99)
        let store = try EntryStore.inMemory()
        #expect(try store.take(devices[16].chunk(0..<1, size: 2)).forgotten.isEmpty)
        for device in devices[..<16] { #expect(try store.take(device.chunk()).forgotten.isEmpty) }
        #expect(try store.reader.status().pendingEntries == 1)
        #expect(try store.take(devices[16].chunk(1..<2)).forgotten == [devices[16].log])
        #expect(try store.reader.status().pendingEntries == 0)
        #expect(try store.prefixes(of: [devices[16].log]).isEmpty)
    }

    @Test func `Of logs without an item the oldest gives way, and may come again`() throws {
        let most = StorageLimits.unrankedLogsPerIdentity
        let devices = try devices(most + 2)
        try fill(devices)
        for device in devices { try device.post("more", time: 99) }
        let store = try EntryStore.inMemory()
        for device in devices[..<most] { #expect(try store.take(device.chunk(0..<1, size: 2)).forgotten.isEmpty) }
        // More of one that is here already takes nobody's place, nor does one that is complete at once.
        #expect(try store.take(devices[1].chunk(1..<2)).forgotten.isEmpty)
        #expect(try store.take(devices[most].chunk(0..<1, size: 2)).forgotten.isEmpty)
        #expect(try store.take(devices[most + 1].chunk(0..<1, size: 2)).forgotten == [devices[0].log])
        #expect(try store.prefixes(of: [devices[0].log]).isEmpty)
        #expect(try store.take(devices[0].chunk()).changes.map(\.log) == [devices[0].log])
        #expect(try store.reader.status().pendingEntries == UInt64(most))
    }

    @Test func `Words of a log that gave way are gone from the file`() throws {
        let home = try TestHome()
        let store = try home.open()
        let devices = try devices(17)
        try fill(devices)
        for number in 0..<300 { try devices[16].post("\(Self.words) \(number)", time: 5) }
        for device in devices[1...16] { try store.take(device.chunk()) }
        #expect(try home.contains(Self.words))
        try store.take(devices[0].chunk())
        #expect(try !home.contains(Self.words))
    }

    @Test func `Votes of a log that gave way count no more and an earlier one is back`() throws {
        let store = try EntryStore.inMemory()
        let stranger = try Device(person: 2)
        let target = try stranger.post("well?", time: 1)
        let other = try stranger.post("and?", time: 2)
        try store.take(stranger.chunk())
        let devices = try devices(17)
        try devices[3].vote(.up, on: target, time: 10)
        try devices[16].vote(.down, on: target, time: 20)
        try devices[16].vote(.down, on: other, time: 21)
        try devices[16].follow(.following, stranger.identity, time: 22)
        try devices[3].follow(.withdrawn, stranger.identity, time: 12)
        try devices[16].name("last", time: 23)
        try devices[3].name("third", time: 13)
        for (number, device) in devices.enumerated() where device.size == 0 { try device.post("\(number)", time: 3) }
        for device in devices[1...16] { try store.take(device.chunk()) }
        #expect(try store.reader.post(target, reader: nil)?.down == 1)
        #expect(try store.reader.following(devices[0].identity) == [stranger.identity])
        try store.take(devices[0].chunk())
        let row = try #require(try store.reader.post(target, reader: devices[0].identity))
        #expect(row.up == 1 && row.down == 0 && row.vote == .up)
        #expect(try store.reader.post(other, reader: nil)?.down == 0)
        #expect(try store.reader.following(devices[0].identity).isEmpty)
        #expect(try store.reader.person(devices[0].identity)?.name == "third")
    }

    @Test func `A delete that counts no more makes the body wanted again and posts keep their arrival`() throws {
        let store = try EntryStore.inMemory()
        let devices = try devices(17)
        let id = try devices[3].post("deleted for a while", time: 5)
        try devices[3].post("stays", time: 6)
        try devices[16].delete(id, time: 7)
        try fill(devices)
        for device in devices[1...16] { try store.take(device.chunk()) }
        #expect(try store.reader.post(id, reader: nil)?.isDeleted == true)
        let arrivals = try store.arrivals()
        let report = try store.take(devices[0].chunk())
        #expect(report.wantedBodies == [devices[3].place(0)])
        #expect(try store.state().wantedBodies == [devices[3].place(0)])
        #expect(try store.reader.post(id, reader: nil)?.content == .wanted)
        try store.take(body: try #require(devices[3].entries[0].payload), of: devices[3].place(0))
        #expect(try store.text(of: id) == "deleted for a while")
        let after = try store.arrivals()
        #expect(arrivals.filter { $0.key >> 32 < 16 }.allSatisfy { after[$0.key] == $0.value })
    }

    @Test func `The clock of an identity falls back with its entries`() throws {
        let devices = try devices(17)
        try fill(devices)
        try devices[16].post("a broken clock", time: .max)
        let store = try EntryStore.inMemory()
        for device in devices[1...16] { try store.take(device.chunk()) }
        try store.take(devices[0].chunk())
        let clocks = try store.derivedDump().filter { $0.hasPrefix("clock") }
        #expect(clocks.count == 1 && !clocks[0].hasSuffix("\(EntryLimits.maximumClock)"))
    }

    @Test func `The own log is kept does not count and signs nothing more`() throws {
        let home = try TestHome()
        let store = try home.open()
        let devices = try devices(17)
        try fill(Array(devices[..<16]))
        let own = devices[16]
        try store.registerOwnLog(own.certificate)
        let payload = Payload.post(try Post(salt: .test, text: Self.words))
        for device in devices[1...15] { try store.take(device.chunk()) }
        let id = try #require(
            try store.append(payload, with: own.key, at: 50, publication: .cleared).chunk.entries.first
        ).id
        #expect(try store.text(of: id) == Self.words)
        let report = try store.take(devices[0].chunk())
        #expect(report.forgotten == [own.log])
        #expect(try store.reader.post(id, reader: own.identity) == nil)
        let state = try store.state()
        #expect(state.own == OwnLogState(log: own.log, size: 1, published: 1, signing: .notCarried))
        #expect(!state.frontier.contains { $0.log == own.log } && state.pending.isEmpty)
        #expect(try home.contains(Self.words))
        #expect(throws: AppendError.refused(.notCarried)) {
            try store.append(payload, with: own.key, at: 60, publication: .cleared)
        }
        // It is refused from others like any other, and still kept.
        let dump = try store.derivedDump()
        _ = try store.rebuild()
        #expect(try store.derivedDump() == dump)
        let size = try store.prefixes(of: [own.log])[own.log]?.range.bounds.upperBound
        #expect(size == 1)
        // What was proven of it besides stands behind that.
        try store.stopSigning(.diverged)
        #expect(try store.state().own?.signing == .stopped)
    }

    @Test func `An own log without a place signs nothing`() throws {
        let store = try EntryStore.inMemory()
        let devices = try devices(17)
        try fill(Array(devices[..<16]))
        for device in devices[..<16] { try store.take(device.chunk()) }
        try store.registerOwnLog(devices[16].certificate)
        #expect(throws: AppendError.refused(.notCarried)) {
            let payload = Payload.post(try Post(salt: .test, text: "x"))
            _ = try store.append(payload, with: devices[16].key, at: 60, publication: .cleared)
        }
        #expect(try store.state().frontier.count == 16)
    }

    @Test func `Wants of a refused log are dropped`() throws {
        let store = try EntryStore.inMemory()
        let devices = try devices(17)
        try fill(devices)
        for device in devices[..<16] { try store.take(device.chunk()) }
        var batch = TakeBatch()
        batch.wants = [LogSize(log: devices[16].log, size: 9)]
        _ = try store.take(batch)
        #expect(try store.state().wants.count == 1)
        batch.chunks = [.init(chunk: try devices[16].chunk(), source: .peer)]
        #expect(try store.take(batch).forgotten == [devices[16].log])
        #expect(try store.state().wants.isEmpty)
    }

    @Test func `Bodies of a log that gave way are wanted no more`() throws {
        let store = try EntryStore.inMemory()
        let devices = try devices(17)
        try fill(devices)
        for device in devices[1...16] { try store.take(device.chunk(withheld: [0])) }
        #expect(try store.state().wantedBodies.count == 16)
        try store.take(devices[0].chunk())
        #expect(try store.state().wantedBodies == devices[1...15].map { $0.place(0) })
    }

    @Test func `Any order of twenty logs gives one frontier and one fold`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<5 {
            let history = try RandomHistory(&random, entries: 160, people: [(1, 20), (2, 3)])
            let carried = Set(try history.carried().map(\.log))
            let stores = try (0..<3).map { _ in try EntryStore.inMemory() }
            for store in stores {
                for device in history.devices.shuffled(using: &random) where device.size > 0 && random.chance(2) {
                    let part = random.below(device.size + 1)
                    if part > 0 { try store.take(device.chunk(0..<part)) }
                }
            }
            for _ in 0..<2 {
                for sender in stores {
                    for receiver in stores where sender !== receiver {
                        try exchange(from: sender, to: receiver, &random)
                    }
                }
            }
            // Whoever wrote brings the rest.
            for store in stores {
                for device in history.devices.shuffled(using: &random) {
                    let held = Int(try store.prefixes(of: [device.log])[device.log]?.range.bounds.upperBound ?? 0)
                    if held < device.size { try store.take(device.chunk(held..<device.size)) }
                }
                // A delete that counted for a while erased what others still have.
                for place in try store.state().wantedBodies {
                    let device = try #require(history.devices.first { $0.log == place.log })
                    try store.take(body: device.entries[Int(place.sequence)].payload ?? [], of: place)
                }
            }
            let dump = try stores[0].derivedDump()
            #expect(Set(try stores[0].state().frontier.map(\.log)) == carried)
            for store in stores {
                #expect(try store.reader.fingerprint().fingerprint == stores[0].reader.fingerprint().fingerprint)
                #expect(try store.derivedDump() == dump)
                let arrivals = try store.arrivals()
                _ = try store.rebuild()
                #expect(try store.derivedDump() == dump)
                #expect(try store.arrivals() == arrivals)
            }
        }
    }

    /// Offers all that the other store has more of, once each.
    private func exchange(from sender: EntryStore, to receiver: EntryStore, _ random: inout SeededRandom) throws {
        let verifier = ChunkVerifier(network: Device.network)
        for row in try sender.state().frontier.shuffled(using: &random) {
            let prefix = try receiver.prefixes(of: [row.log])[row.log] ?? .none
            let want = RangeWant(log: row.log, from: prefix.range.bounds.upperBound, certificate: .send)
            guard case .chunk(let chunk)? = try sender.ranges([want], byteLimit: 1 << 20).first else { continue }
            try receiver.take(try #require(verifier.verify(chunk, over: prefix).verified))
        }
    }
}
