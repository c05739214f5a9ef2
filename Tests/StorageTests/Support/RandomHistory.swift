import Entries
import Simulation
import Sodium
import TestSupport

/// Logs of a few people who say everything that can be said, much of it about each other and some of it nonsense.
struct RandomHistory {
    let devices: [Device]
    private(set) var ids: [EntryID] = []
    /// By log, the sequence numbers whose bodies a relay holds back for good, and those that come late.
    private(set) var lost: [LogID: Set<Int>] = [:]
    private(set) var late: [LogID: Set<Int>] = [:]

    /// `people`: numbers of persons, and how many devices each has.
    init(_ random: inout SeededRandom, entries: Int, people: [(UInt8, UInt8)] = [(1, 2), (2, 2), (3, 1)]) throws {
        devices = try people.flatMap { person, count in
            try (1...count).map { try Device(person: person, device: $0) }
        }
        for _ in 0..<entries { try write(&random) }
    }

    private mutating func write(_ random: inout SeededRandom) throws {
        let device = random.pick(devices)
        // Few values, so that equal times and equal clocks are common.
        let time = random.chance(12) ? random.edgy() : UInt64(1_000 + random.below(40))
        let clock = random.chance(12) ? random.edgy() : UInt64(1_000 + random.below(20))
        let sequence = device.size
        let id: EntryID
        if random.chance(10) {
            id = nonsense(device, &random, time: time, clock: clock)
        } else {
            id = device.write(try payload(&random), time: time, clock: clock)
        }
        ids.append(id)
        if device.entries[sequence].header.isErasable {
            if random.chance(8) {
                lost[device.log, default: []].insert(sequence)
            } else if random.chance(6) {
                late[device.log, default: []].insert(sequence)
            }
        }
    }

    private func target(_ random: inout SeededRandom) -> EntryID {
        ids.isEmpty || random.chance(10) ? EntryID(raw: random.bytes32()) : random.pick(ids)
    }

    private func payload(_ random: inout SeededRandom) throws -> Payload {
        let salt = Salt(using: &random)
        switch random.below(10) {
        case 0...2:
            let names = ["squirrels", "cs193", "food"].filter { _ in random.chance(3) }
            let reply = random.chance(2) ? Post.Reply(parent: target(&random), root: target(&random)) : nil
            return .post(
                try Post(
                    salt: salt,
                    text: "p\(random.below(99))",
                    channels: names.compactMap { Channel($0) },
                    reply: reply
                )
            )
        case 3: return .edit(try Edit(salt: salt, post: target(&random), text: "e\(random.below(99))"))
        case 4, 5:
            let choices = (0...random.below(3)).map { _ in
                Vote.Choice(post: target(&random), value: random.pick(Vote.Value.allCases))
            }
            return .vote(try Vote(choices: choices))
        case 6:
            let choices = (0...random.below(2)).map { _ in
                Follow.Choice(identity: random.pick(devices).identity, value: random.pick(Follow.Value.allCases))
            }
            return .follow(try Follow(choices: choices))
        case 7:
            return .profile(
                try Profile(
                    salt: salt,
                    name: random.chance(2) ? "n\(random.below(9))" : nil,
                    fullName: random.chance(3) ? "f\(random.below(9))" : nil,
                    bio: random.chance(3) ? "" : nil,
                    avatar: random.chance(3) ? random.bytes32() : nil
                )
            )
        default:
            return .delete(try Delete(entries: (0...random.below(3)).map { _ in target(&random) }))
        }
    }

    /// What is valid in its log and means nothing.
    private func nonsense(
        _ device: Device,
        _ random: inout SeededRandom,
        time: UInt64,
        clock: UInt64
    ) -> EntryID {
        switch random.below(4) {
        case 0:
            device.write(kind: UInt16(1 + random.below(6)), random.bytes(random.below(40)), time: time, clock: clock)
        case 1: device.write(kind: 400, random.bytes(9), flags: UInt8(random.below(4)), time: time, clock: clock)
        case 2: device.write(kind: 1, random.bytes(9), version: 2, time: time, clock: clock)
        default:
            device.write(kind: UInt16(1 + random.below(6)), [], flags: UInt8(random.below(2)), time: time, clock: clock)
        }
    }

    /// The logs that count: the first 16 of each person that have an entry.
    func carried() throws -> [Device] {
        let written = devices.filter { $0.size > 0 }
        return written.filter { device in
            written.count { $0.identity == device.identity && $0.serial < device.serial } < 16
        }
    }

    /// Every log cut into chunks at random, with what comes late, in any order that a store may meet.
    func batches(_ random: inout SeededRandom) throws -> [TakeBatch] {
        var queues = try devices.map { try chunks(of: $0, &random) }.filter { !$0.isEmpty }
        var batches: [TakeBatch] = [TakeBatch()]
        var seen: [VerifiedChunk] = []
        while !queues.isEmpty {
            let queue = random.below(queues.count)
            let chunk = queues[queue].removeFirst()
            if queues[queue].isEmpty { queues.remove(at: queue) }
            seen.append(chunk)
            batches[batches.count - 1].chunks.append(.init(chunk: chunk, source: .peer))
            if random.chance(4) {
                batches[batches.count - 1].chunks.append(.init(chunk: random.pick(seen), source: .peer))
            }
            if random.chance(3) { batches[batches.count - 1].bodies += bodies { _ in random.chance(2) } }
            if random.chance(3) { batches.append(TakeBatch()) }
        }
        batches[batches.count - 1].bodies += bodies { _ in true }
        return batches
    }

    /// Late bodies, if `isChosen`.
    private func bodies(_ isChosen: (BodyPlace) -> Bool) -> [TakeBatch.BodyArrival] {
        devices.flatMap { device in
            late[device.log, default: []].sorted().map { device.place($0) }.filter(isChosen).map { place in
                TakeBatch.BodyArrival(
                    place: place,
                    payload: device.entries[Int(place.sequence)].payload ?? [],
                    source: .peer
                )
            }
        }
    }

    private func chunks(of device: Device, _ random: inout SeededRandom) throws -> [VerifiedChunk] {
        let withheld = lost[device.log, default: []].union(late[device.log, default: []])
        var chunks: [VerifiedChunk] = []
        var start = 0
        while start < device.size {
            let end = min(device.size, start + 1 + random.below(6))
            // A head further on leaves the chunk pending until a later one completes it.
            let size = random.chance(2) ? end : end + random.below(device.size - end + 1)
            chunks.append(try device.chunk(start..<end, size: size, withheld: withheld))
            start = end
        }
        return chunks
    }

    /// What the oracle makes of the entries that count in the end.
    var oracle: FoldState {
        var state = FoldState()
        for device in devices {
            for entry in device.entries {
                let isLost = lost[device.log, default: []].contains(Int(entry.header.sequence))
                state.insert(isLost ? Entry(withheld: entry.header) : entry, by: device.identity)
            }
        }
        return state
    }
}
