import Entries
import Simulation
import Sodium
import TestSupport

/// A counted entry and whose it is.
struct Counted: Hashable {
    let entry: Entry
    let identity: IdentityID

    /// The same entry without its body, where that may be missing.
    var withheld: Counted {
        entry.header.isErasable ? Counted(entry: Entry(withheld: entry.header), identity: identity) : self
    }
}

/// A few people with several logs each, who act at random on each other's entries; fork-free.
struct FoldHistory {
    private(set) var counted: [Counted] = []
    let people: [IdentityID]
    private var logs: [(log: LogID, identity: IdentityID, size: UInt64)] = []
    private var targets: [EntryID]

    init(_ random: inout SeededRandom) throws {
        people = (0..<3).map { _ in IdentityID(raw: random.bytes32()) }
        for identity in people {
            for _ in 0...random.below(3) {
                logs.append((LogID(raw: random.bytes32()), identity, 0))
            }
        }
        targets = (0..<2).map { _ in EntryID(raw: random.bytes32()) }
        for _ in 0..<4 + random.below(30) { try step(&random) }
    }

    private mutating func step(_ random: inout SeededRandom) throws {
        let index = random.below(logs.count)
        let author = logs[index]
        let (kind, payload) = try payload(of: author.identity, &random)
        // Few different clocks and times: ties are what the order has to break.
        let clock: UInt64 = random.chance(8) ? random.edgy() : UInt64(random.below(3))
        let kindNumber = random.chance(25) ? UInt16(random.below(12)) : kind.rawValue
        let flags = random.chance(25) ? UInt8(truncatingIfNeeded: random.next()) : (kind.isErasable ? 1 : 0)
        let entry = Entry(
            version: random.chance(25) ? 2 : 1,
            flags: flags,
            kind: kindNumber,
            log: author.log,
            sequence: author.size,
            time: random.chance(8) ? random.edgy() : UInt64(random.below(3)),
            clock: clock,
            payload: random.chance(15) ? payload.dropLast() : payload
        )
        logs[index].size += 1
        counted.append(Counted(entry: entry, identity: author.identity))
        targets.append(entry.id)
    }

    private func payload(of identity: IdentityID, _ random: inout SeededRandom) throws -> (EntryKind, [UInt8]) {
        let salt = Salt(using: &random)
        let own = counted.filter { $0.identity == identity }.map(\.entry.id)
        let target = { (random: inout SeededRandom) -> EntryID in
            let pool = !own.isEmpty && !random.chance(4) ? own : targets
            return pool[random.below(pool.count)]
        }
        let text = "t\(random.below(1000))"
        let payload: Payload
        switch random.below(8) {
        case 0, 1:
            let reply = random.chance(2) ? Post.Reply(parent: target(&random), root: target(&random)) : nil
            payload = .post(try Post(salt: salt, text: text, reply: reply))
        case 2, 3:
            payload = .edit(try Edit(salt: salt, post: target(&random), text: text, title: "e"))
        case 4:
            payload = .vote(
                try Vote(
                    choices: (0...random.below(3)).map { _ in
                        Vote.Choice(
                            post: targets[random.below(targets.count)],
                            value: Vote.Value(rawValue: UInt8(random.below(3))) ?? .up
                        )
                    }
                )
            )
        case 5:
            payload = .follow(
                try Follow(
                    choices: (0...random.below(3)).map { _ in
                        Follow.Choice(
                            identity: people[random.below(people.count)],
                            value: random.chance(2) ? .following : .withdrawn
                        )
                    }
                )
            )
        case 6:
            payload = .profile(
                try Profile(
                    salt: salt,
                    name: random.chance(2) ? nil : text,
                    fullName: random.chance(2) ? nil : text,
                    bio: random.chance(2) ? nil : text,
                    avatar: random.chance(2) ? nil : random.bytes32()
                )
            )
        default:
            payload = .delete(try Delete(entries: (0...random.below(3)).map { _ in target(&random) }))
        }
        return (payload.kind, payload.encode())
    }

    /// Every question that can be asked, with its answer.
    func answers(of state: FoldState) -> [String] {
        targets.map { "\($0) \(String(describing: state.post($0))) \(state.tallies($0))" }
            + people.map { person in
                "\(person) \(state.following(person).sorted()) \(state.profile(person)) "
                    + "\(state.feed(at: 1, for: person)) \(targets.map { state.vote(of: person, on: $0) })"
            }
    }
}

extension FoldState {
    init(_ counted: some Sequence<Counted>) {
        self.init()
        for one in counted { insert(one.entry, by: one.identity) }
    }
}
