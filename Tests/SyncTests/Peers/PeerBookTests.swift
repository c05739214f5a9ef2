import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

struct PeerBookTests {
    private static let perHost = 4

    private func node(_ number: UInt64) -> NodeID { NodeID(raw: Author.bytes(number, "node")) }

    private func heard(_ number: UInt64) -> HeardPeer {
        HeardPeer(address: PeerAddress(host: "host\(number)", port: 1), node: node(number))
    }

    @Test func `One peer teaches a bounded number`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let lot = (0..<UInt64(100)).map(heard)
        let hasLearned = book.learn(lot, from: node(1_000), own: node(2_000), now: 0)
        #expect(hasLearned)
        #expect(book.learned.count == Limits.learnedPeersPerPeerCount)
        for teacher in 1_001..<UInt64(1_100) {
            let more = (0..<UInt64(100)).map { heard(teacher * 1_000 + $0) }
            _ = book.learn(more, from: node(teacher), own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Limits.learnedPeersCount)
    }

    @Test func `Learned peers are dialled only while there are few`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(20)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        let dials1 = book.dial(now: 0, sessions: Limits.wantedSessionsCount, connected: [])
        #expect(dials1.isEmpty)
        let dials2 = book.dial(now: 0, sessions: 5, connected: [])
        #expect(dials2.count == Limits.wantedSessionsCount - 5)
    }

    @Test func `Connections that do not count take up room all the same`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(20)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        let (all, few) = (Limits.sessionsCount, Limits.incomingNeighboursCount)
        let atNone = book.dial(now: 0, sessions: all, neighbours: few, connected: [])
        #expect(atNone.isEmpty)
        let atOne = book.dial(now: 0, sessions: all - 1, neighbours: few, connected: [])
        #expect(atOne.count == 1)
        for (dial, _) in atOne { _ = book.failed(dial, .refused, links: 1, now: 0) }
        let atMany = book.dial(now: 0, sessions: all / 2, neighbours: few, connected: [])
        #expect(atMany.count == Limits.wantedSessionsCount - few)
        for (dial, _) in atMany { _ = book.failed(dial, .refused, links: 1, now: 0) }
        let due = book.nextDue(now: 0, sessions: all / 2, neighbours: few, connected: [])
        #expect(due != nil)
        let later = book.nextDue(now: 0, sessions: all, neighbours: few, connected: [])
        #expect(later == nil)
        let sated = book.nextDue(now: 0, sessions: all / 2, neighbours: Limits.wantedSessionsCount, connected: [])
        #expect(sated == nil)
    }

    @Test func `Who is listed is dialled however many connections count`() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: nil, origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        let wanted = Limits.wantedSessionsCount
        let dials = book.dial(now: 0, sessions: wanted, neighbours: wanted, connected: [])
        #expect(dials.map(\.1) == [target])
    }

    private func listed(_ count: UInt16) -> [PeerTarget] {
        (1...count).map { PeerTarget(address: PeerAddress(host: "a", port: $0), node: nil, origin: .listed) }
    }

    /// Dials of which each fails after 2 s, longer than the first wait: in the order in which they began.
    private func dials(_ count: Int, of book: inout PeerBook, from start: UInt64 = 0) -> [PeerAddress] {
        var dialled: [PeerAddress] = []
        var now = start
        while dialled.count < count {
            let begun = book.dial(now: now, sessions: 0, connected: [])
            now += 2_000
            for (dial, target) in begun {
                dialled.append(target.address)
                _ = book.failed(dial, .refused, links: 0, now: now)
            }
        }
        return Array(dialled.prefix(count))
    }

    @Test func `Of a long list none is dialled twice before each was dialled once`() {
        let targets = listed(100)
        var book = PeerBook(targets, chance: Chance(seed: 1))
        let dialled = dials(200, of: &book)
        #expect(Array(dialled.prefix(100)) == targets.map(\.address))
        #expect(Array(dialled.suffix(100)) == targets.map(\.address))
    }

    @Test func `Who asks for all has each of a long list dialled once more, those dialled longest ago first`() {
        let targets = listed(100)
        var book = PeerBook(targets, chance: Chance(seed: 1))
        _ = dials(104, of: &book)
        book.hurry()
        #expect(book.all.allSatisfy { !$0.isTried })
        let dialled = dials(100, of: &book, from: 1_000_000)
        #expect(dialled == (targets.dropFirst(4) + targets.prefix(4)).map(\.address))
    }

    @Test func `A list that is asked for again and again is dialled to its end`() {
        let targets = listed(60)
        var book = PeerBook(targets, chance: Chance(seed: 1))
        var dialled: Set<PeerAddress> = []
        for round in 0..<8 {
            dialled.formUnion(dials(Limits.dialsCount, of: &book, from: UInt64(round) * 1_000_000))
            book.hurry()
        }
        #expect(dialled.count == 60)
    }

    @Test func `A long list is the same whether it was read at once or line by line`() {
        let targets = listed(40)
        let mixed = targets.indices.map { targets[$0 * 7 % 40] } + targets.prefix(3)
        var one = PeerTable()
        for target in mixed { one.insert(PeerBook.Entry(target: target)) }
        var all = PeerTable()
        all.insert(mixed.map { PeerBook.Entry(target: $0) })
        #expect(one.addresses == targets.map(\.address).sorted() && all.addresses == one.addresses)
        #expect(all.all.map(\.number) == one.all.map(\.number))
        all.removeAll { $0.number % 2 == 0 }
        #expect(all.addresses == one.all.filter { $0.number % 2 == 1 }.map(\.target.address))
    }

    @Test func `Who is new in a long list does not wait for those that were dialled before`() {
        var book = PeerBook(listed(100), chance: Chance(seed: 1))
        _ = dials(104, of: &book)
        _ = book.list(listed(101))
        let dialled = dials(Limits.dialsCount, of: &book, from: 1_000_000)
        #expect(dialled.first == PeerAddress(host: "a", port: 101))
    }

    @Test func `Who is due and finds no room waits its turn`() {
        var book = PeerBook(listed(20), chance: Chance(seed: 1))
        _ = book.dial(now: 0, sessions: 0, connected: [])
        let waiting = book.all.filter { book.isQueued($0, now: 0, []) }
        #expect(waiting.count == 20 - Limits.dialsCount && waiting.allSatisfy { $0.lastDial == nil })
        var gone = PeerBook(listed(20), chance: Chance(seed: 1))
        _ = gone.dial(now: 0, sessions: 0, connected: [])
        _ = gone.list([])
        let none = gone.dial(now: 0, sessions: 0, connected: [])
        #expect(none.isEmpty)
    }

    @Test func `When it was last in step outlasts the connection, at each address of the node`() {
        let targets = (1...UInt16(2)).map { port in
            PeerTarget(address: PeerAddress(host: "a", port: port), node: node(UInt64(port)), origin: .listed)
        }
        var book = PeerBook(targets, chance: Chance(seed: 1))
        book.parted(from: node(1), inStepAt: 70)
        book.parted(from: node(3), inStepAt: 60)
        #expect(book.inStepAt == 70)
        #expect(book.all.map(\.inStepAt) == [70, nil])
    }

    @Test func `What a person listed is nobody's to remove, however it was known before`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let told = heard(1).address
        let found = PeerAddress(host: "found", port: 1)
        let dialled = PeerAddress(host: "dialled", port: 1)
        _ = book.learn([heard(1)], from: node(1_000), own: node(2_000), now: 0)
        _ = book.find(found, now: 0)
        _ = book.heard(node(3), from: dialled, now: 0)
        let listed = [told, found, dialled].map { PeerTarget(address: $0, node: nil, origin: .listed) }
        _ = book.list(listed)
        _ = book.learn((10..<UInt64(100)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        for number in 0..<UInt64(200) {
            _ = book.find(PeerAddress(host: "found\(number)", port: 1), now: number * 1_000)
            _ = book.heard(node(500 + number), from: PeerAddress(host: "dialled", port: UInt16(2 + number)), now: 0)
        }
        #expect(listed.allSatisfy { book.target($0.address) == $0 })
    }

    @Test func `Without any connection no address is forgotten, with one those that never answer are`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(30)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        var now: UInt64 = 0
        func fail(_ rounds: Int, links: Int) {
            for _ in 0..<rounds {
                now += UInt64(Limits.retryMaximumMilliseconds)
                let dials = book.dial(now: now, sessions: links, neighbours: links, connected: [])
                for (number, (dial, target)) in dials.enumerated() {
                    guard number.isMultiple(of: 2) else {
                        _ = book.failed(dial, .unreachable, links: links, now: now)
                        continue
                    }
                    // Something takes the call, and is no node.
                    let session = SessionID(raw: UInt64(number))
                    book.opened(dial, session)
                    book.lost(target.address, session, openedAt: now, refusal: nil, links: links, now: now)
                }
            }
        }
        fail(200, links: 0)
        #expect(book.learned.count == 30)
        fail(200, links: 1)
        #expect(book.learned.isEmpty)
    }

    @Test func `Without any connection a peer may still say where it has moved`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let home = PeerAddress(host: "home", port: 1)
        _ = book.heard(node(1), from: home, now: 0)
        for (dial, _) in book.dial(now: 0, sessions: 0, connected: []) { book.opened(dial, SessionID(raw: 1)) }
        _ = book.met(node(1), at: home, now: 0)
        book.lost(home, SessionID(raw: 1), openedAt: 0, refusal: nil, links: 0, now: 100_000_000)
        for (dial, _) in book.dial(now: 200_000_000, sessions: 0, connected: []) {
            _ = book.failed(dial, .timedOut, links: 0, now: 200_000_000)
        }
        let away = PeerAddress(host: "away", port: 1)
        let isNew = book.heard(node(1), from: away, now: 200_000_000)
        #expect(isNew && book.learned.map(\.address) == [away])
    }

    @Test func `What was found and does not answer makes room for others of its host, connection or not`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for port in 1...UInt16(4) { _ = book.find(PeerAddress(host: "host", port: port), now: 0) }
        var now: UInt64 = 0
        for _ in 0..<30 {
            now += UInt64(Limits.retryMaximumMilliseconds)
            for (dial, _) in book.dial(now: now, sessions: 0, connected: []) {
                _ = book.failed(dial, .refused, links: 0, now: now)
            }
        }
        let isNew = book.find(PeerAddress(host: "host", port: 7), now: now)
        #expect(isNew)
    }

    @Test(arguments: [true, false])
    func `What was missed while a connection was silent that ended counts no more`(isSilent: Bool) {
        var book = PeerBook([], chance: Chance(seed: 1))
        let local = HeardPeer(address: PeerAddress(host: "127.0.0.1", port: 1), node: node(2))
        _ = book.learn([heard(1), local], from: node(1_000), own: node(2_000), now: 0)
        for round in 1...UInt64(60) {
            let now = round * UInt64(Limits.retryMaximumMilliseconds)
            for (dial, _) in book.dial(now: now, sessions: 1, connected: []) {
                _ = book.failed(dial, .unreachable, links: 1, now: now)
            }
            if round.isMultiple(of: 6) {
                book.lostNetwork(heardAt: isSilent ? now - 6 * UInt64(Limits.retryMaximumMilliseconds) : now)
            }
        }
        #expect(book.learned.map(\.address) == (isSilent ? [heard(1).address] : []))
    }

    @Test func `What was missed before that still counts`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn([heard(1)], from: node(1_000), own: node(2_000), now: 0)
        for round in 1...UInt64(Limits.learnedPeerAttempts + 2) {
            #expect(book.learned.count == 1, "round \(round)")
            let now = round * UInt64(Limits.retryMaximumMilliseconds)
            for (dial, _) in book.dial(now: now, sessions: 1, connected: []) {
                _ = book.failed(dial, .unreachable, links: 1, now: now)
            }
            // The network went away in the third, and in no other.
            if round == 3 { book.lostNetwork(heardAt: now - 1) }
        }
        #expect(book.learned.isEmpty)
    }

    /// Else a network that is away for a moment would let whoever comes next say where everybody else is.
    @Test(arguments: [0, 1]) func `What did not answer without a network is nobody's to replace`(links: Int) {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn([heard(1)], from: node(1_000), own: node(2_000), now: 0)
        for (dial, _) in book.dial(now: 1, sessions: links, connected: []) {
            _ = book.failed(dial, .unreachable, links: links, now: 1)
        }
        let other = HeardPeer(address: PeerAddress(host: "other", port: 1), node: node(1))
        let isNew = book.learn([other], from: node(1_001), own: node(2_000), now: 2)
        #expect(isNew == (links > 0) && book.learned.map(\.address) == [isNew ? other.address : heard(1).address])
    }

    @Test func `A name that was not looked up is dialled as soon as before, and keeps its reason`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let address = heard(1).address
        _ = book.list([PeerTarget(address: address, node: nil, origin: .listed)])
        for (dial, _) in book.dial(now: 0, sessions: 1, connected: []) {
            _ = book.failed(dial, .timedOut, links: 1, now: 0)
        }
        var now: UInt64 = 0
        for _ in 0..<20 {
            now += UInt64(Limits.retryMaximumMilliseconds)
            for (dial, _) in book.dial(now: now, sessions: 1, connected: []) {
                let delay = book.failed(dial, .busy, links: 1, now: now)?.1
                #expect(delay == Limits.busyNamesMilliseconds)
            }
        }
        let due = book.nextDue(now: now, sessions: 1, neighbours: 1, connected: [])
        #expect(due == now + Limits.busyNamesMilliseconds)
        #expect(book.all.map(\.failure) == [.timedOut] && book.all.map(\.failures) == [1])
    }

    @Test func `A name that was not looked up is no address without a node`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn([heard(1)], from: node(1_000), own: node(2_000), now: 0)
        for round in 1...UInt64(30) {
            let now = round * UInt64(Limits.retryMaximumMilliseconds)
            for (dial, _) in book.dial(now: now, sessions: 1, connected: []) {
                _ = book.failed(dial, .busy, links: 1, now: now)
            }
        }
        #expect(book.learned.count == 1)
    }

    @Test func `Who has moved and says so is found where it is now`() {
        let listed = PeerTarget(address: PeerAddress(host: "b", port: 9), node: node(2), origin: .listed)
        var book = PeerBook([listed], chance: Chance(seed: 1))
        let places = (1...3).map { PeerAddress(host: "a", port: $0) }
        let news = places.map { book.heard(node(1), from: $0, now: 0) }
        #expect(news == [true, true, true])
        #expect(book.learned.map(\.address) == [places[2]])
        let other = book.heard(node(2), from: PeerAddress(host: "c", port: 1), now: 0)
        #expect(!other && book.all.count == 2, "what a person listed stays")
        // Where it is connected nothing is taken away.
        let dials = book.dial(now: 0, sessions: 0, connected: [node(2)])
        for (dial, _) in dials { book.opened(dial, SessionID(raw: 1)) }
        let moved = book.heard(node(1), from: places[0], now: 1)
        #expect(!moved && book.learned.map(\.address) == [places[2]])
    }

    @Test func `Of a node that does not answer where it was said to be another address is learned`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn([heard(1)], from: node(1_000), own: node(2_000), now: 0)
        let elsewhere = HeardPeer(address: PeerAddress(host: "elsewhere", port: 1), node: node(1))
        let early = book.learn([elsewhere], from: node(1_001), own: node(2_000), now: 0)
        #expect(!early, "one is enough")
        for (dial, _) in book.dial(now: 0, sessions: 0, connected: []) {
            _ = book.failed(dial, .refused, links: 1, now: 0)
        }
        let late = book.learn([elsewhere], from: node(1_001), own: node(2_000), now: 1)
        #expect(late && book.learned.map(\.address) == [elsewhere.address])
    }

    @Test func `Where a node was reached is kept while it may call from elsewhere`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let home = PeerAddress(host: "home", port: 1)
        _ = book.heard(node(1), from: home, now: 0)
        for (dial, _) in book.dial(now: 0, sessions: 0, connected: []) { book.opened(dial, SessionID(raw: 1)) }
        _ = book.met(node(1), at: home, now: 0)
        book.lost(home, SessionID(raw: 1), openedAt: 0, refusal: nil, links: 1, now: 100_000_000)
        let away = PeerAddress(host: "away", port: 1)
        let early = book.heard(node(1), from: away, now: 100_000_000)
        #expect(!early && book.learned.map(\.address) == [home])
        for (dial, _) in book.dial(now: 200_000_000, sessions: 0, connected: []) {
            _ = book.failed(dial, .timedOut, links: 1, now: 200_000_000)
        }
        let late = book.heard(node(1), from: away, now: 200_000_000)
        #expect(late && book.learned.map(\.address) == [away])
    }

    @Test func `Nobody displaces what a node said of itself, nor more than its share`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.heard(node(1), from: PeerAddress(host: "own", port: 1), now: 0)
        let others = (10..<UInt64(50)).map(heard)
        _ = book.learn(others, from: node(1_000), own: node(2_000), now: 0)
        for (dial, _) in book.dial(now: 0, sessions: 0, connected: []) {
            _ = book.failed(dial, .refused, links: 1, now: 0)
        }
        let before = Set(book.learned)
        #expect(before.count == 1 + Limits.learnedPeersPerPeerCount)
        let lies = ([1] + (10..<UInt64(50))).map { number in
            HeardPeer(address: PeerAddress(host: "lie\(number)", port: 1), node: node(number))
        }
        _ = book.learn((100..<UInt64(140)).map(heard), from: node(1_001), own: node(2_000), now: 0)
        let full = Set(book.learned)
        _ = book.learn(lies, from: node(1_001), own: node(2_000), now: 0)
        #expect(Set(book.learned).isSuperset(of: before) && Set(book.learned).count == full.count)
    }

    @Test func `A node that is connected is not dialled`() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        let dials3 = book.dial(now: 0, sessions: 1, connected: [node(1)])
        #expect(dials3.isEmpty)
        let dials4 = book.dial(now: 0, sessions: 1, connected: [])
        #expect(dials4.map(\.1) == [target])
        let dials5 = book.dial(now: 0, sessions: 1, connected: [])
        #expect(dials5.isEmpty, "once at a time")
    }

    @Test func `Penalties double up to a day`() {
        var penalties = Penalties()
        var now: UInt64 = 0
        var delays: [UInt64] = []
        for _ in 0..<10 {
            let delay = penalties.punish(.node(node(1)), now: now)
            delays.append(delay)
            #expect(penalties.end(.node(node(1)), now: now) != nil)
            now += delays.last ?? 0
            #expect(penalties.end(.node(node(1)), now: now) == nil)
        }
        #expect(delays.prefix(3) == [600_000, 1_200_000, 2_400_000])
        #expect(delays.last == 86_400_000)
        #expect(penalties.end(.node(node(2)), now: 0) == nil)
    }

    @Test func `What may not be dialled yet is not due either`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(2)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        let first = book.dial(now: 0, sessions: Limits.wantedSessionsCount - 2, connected: [])
        for (dial, _) in first { _ = book.failed(dial, .refused, links: 1, now: 0) }
        let second = book.dial(now: 900_000, sessions: Limits.wantedSessionsCount - 1, connected: [])
        #expect(first.count == 2 && second.count == 1)
        let due = book.nextDue(now: 900_000, sessions: Limits.wantedSessionsCount - 1, connected: [])
        #expect(due == nil, "a node would be woken every millisecond until the dial is over")
    }

    @Test func `A penalty keeps a listed peer from being dialled`() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        _ = book.punish(.node(node(1)), now: 0)
        let dials6 = book.dial(now: 0, sessions: 0, connected: [])
        #expect(dials6.isEmpty)
        #expect(book.nextDue(now: 0, sessions: 0, connected: []) == 600_000)
        let dials7 = book.dial(now: 599_999, sessions: 0, connected: [])
        #expect(dials7.isEmpty)
        let dials8 = book.dial(now: 600_000, sessions: 0, connected: [])
        #expect(dials8.count == 1)
    }

    @Test func `Who waits for listed peers ends their penalties, and the next ones are longer`() {
        let target = PeerTarget(address: PeerAddress(host: "a", port: 1), node: node(1), origin: .listed)
        var book = PeerBook([target], chance: Chance(seed: 1))
        _ = book.learn([heard(2)], from: node(1_000), own: node(2_000), now: 0)
        for subject in [Penalties.Subject.node(node(1)), .address(target.address), .node(node(2))] {
            _ = book.punish(subject, now: 0)
        }
        book.hurry()
        let dials = book.dial(now: 1, sessions: 0, connected: [])
        #expect(dials.map(\.1) == [target])
        #expect(book.penalties.end(.node(node(2)), now: 1) == 600_000, "nobody asked for it")
        let next = [Penalties.Subject.node(node(1)), .address(target.address)].map { book.punish($0, now: 1) }
        #expect(next == [1_200_000, 1_200_000])
    }

    @Test func `Whoever first answers at an address that a person listed may answer there`() {
        let listed = PeerTarget(address: PeerAddress(host: "a", port: 1), node: nil, origin: .listed)
        let known = PeerTarget(address: PeerAddress(host: "b", port: 1), node: node(2), origin: .listed)
        var book = PeerBook([listed, known], chance: Chance(seed: 1))
        for number in UInt64(1)...2 { _ = book.punish(.node(node(number)), now: 0) }
        book.pardon(node(1), metAt: listed.address)
        book.pardon(node(2), metAt: known.address)
        #expect(book.penalties.end(.node(node(1)), now: 1) == nil)
        #expect(book.penalties.end(.node(node(2)), now: 1) == 600_000)
    }

    @Test func `One host is a few peers`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.learn([heard(500)], from: node(1_000), own: node(2_000), now: 0)
        for number in 0..<UInt16(300) {
            let address = PeerAddress(host: "192.0.2.7", port: 1_000 + number)
            _ = book.heard(node(UInt64(number)), from: address, now: UInt64(number))
        }
        #expect(book.learned.count == 1 + Self.perHost)
        let ports = book.learned.map(\.address.port).suffix(Self.perHost)
        #expect(ports.contains(1_299), "who came last is the one to be found there")
        let isHeard = book.heard(node(900), from: PeerAddress(host: "192.0.2.8", port: 1), now: 900)
        #expect(isHeard)
        let shared = book.share(except: node(0), now: 900)
        #expect(shared.count <= 1 + Self.perHost)
    }

    /// Keys of one stranger, each teaching what costs nothing: ports of a host.
    @Test func `One host does not fill the list by teaching`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for teacher in 0..<UInt64(8) {
            let lot = (0..<UInt16(32)).map { port in
                let number = teacher * 32 + UInt64(port)
                return HeardPeer(address: PeerAddress(host: "192.0.2.7", port: UInt16(number + 1)), node: node(number))
            }
            _ = book.learn(lot, from: node(1_000 + teacher), own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Self.perHost)
        // The same with hosts of its own invention.
        let school = HostNetwork("192.0.2.8")
        for teacher in 0..<UInt64(8) {
            let lot = (0..<UInt64(32)).map { heard(5_000 + teacher * 32 + $0) }
            _ = book.learn(lot, from: node(1_100 + teacher), at: school, own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Self.perHost + Limits.learnedPeersPerPeerCount)
    }

    /// An address in one of the networks of a line at home.
    private func home(_ network: UInt64) -> PeerAddress {
        PeerAddress(host: "2001:db8:0:\(String(network, radix: 16))::1", port: 1)
    }

    @Test func `A line at home with many networks takes few places of others`() {
        let known = (0..<UInt64(256)).map {
            PeerTarget(address: heard($0).address, node: node($0), origin: .learned)
        }
        var book = PeerBook(known, chance: Chance(seed: 1))
        #expect(known.count == Limits.learnedPeersCount)
        for number in 0..<UInt64(300) { _ = book.heard(node(1_000 + number), from: home(number), now: number) }
        let left = Set(book.learned).intersection(known)
        #expect(left.count == Limits.learnedPeersCount - Limits.learnedPeersPerSiteCount)
        #expect(book.learned.count == Limits.learnedPeersCount)
        #expect(book.target(home(299)) != nil && book.target(home(0)) == nil, "who came last is the one to be found")
        // Elsewhere there is room all the same.
        let isHeard = book.heard(node(2_000), from: PeerAddress(host: "2001:db8:1::1", port: 1), now: 300)
        #expect(isHeard)
    }

    @Test func `Who moves within a full site takes nobody's place`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let count = UInt64(Limits.learnedPeersPerSiteCount)
        for number in 0..<count { _ = book.heard(node(number), from: home(number), now: number) }
        let hasMoved = book.heard(node(5), from: home(200), now: count)
        #expect(hasMoved && book.target(home(200)) != nil && book.target(home(5)) == nil)
        #expect(book.learned.count == Limits.learnedPeersPerSiteCount)
    }

    @Test func `Teachers do not fill the list with one site either`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        func lot(_ first: UInt64) -> [HeardPeer] {
            (first..<first + 32).map { HeardPeer(address: home($0), node: node($0)) }
        }
        for teacher in 0..<UInt64(8) {
            _ = book.learn(lot(teacher * 32), from: node(1_000 + teacher), own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Limits.learnedPeersPerSiteCount)
        // Nobody has lost more than fairness takes: eight share what one had.
        let shares = (0..<UInt64(8)).map { teacher in lot(teacher * 32).count { book.target($0.address) != nil } }
        #expect(shares.allSatisfy { (3...5).contains($0) }, "\(shares)")
        // What a node there says of itself goes before what others say.
        let isHeard = book.heard(node(900), from: home(900), now: 1)
        _ = book.learn(lot(1_024), from: node(1_100), own: node(2_000), now: 2)
        #expect(isHeard && book.target(home(900)) != nil)
        #expect(book.learned.count == Limits.learnedPeersPerSiteCount)
    }

    @Test func `Who is there takes the place of what was only told of`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for teacher in 0..<UInt64(8) {
            let lot = (0..<UInt64(32)).map { heard(5_000 + teacher * 32 + $0) }
            _ = book.learn(lot, from: node(1_000 + teacher), own: node(2_000), now: 0)
        }
        #expect(book.learned.count == Limits.learnedPeersCount)
        let address = PeerAddress(host: "192.0.2.9", port: 1)
        let isHeard = book.heard(node(1), from: address, now: 1)
        #expect(isHeard && book.target(address) != nil)
        #expect(book.learned.count == Limits.learnedPeersCount)
        #expect(book.target(heard(5_000).address) == nil, "the oldest has gone")
    }

    @Test func `A full list takes from who told most`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for teacher in 0..<UInt64(8) {
            let lot = (0..<UInt64(32)).map { heard(5_000 + teacher * 32 + $0) }
            _ = book.learn(lot, from: node(1_000 + teacher), own: node(2_000), now: 0)
        }
        let lot = (0..<UInt64(32)).map { heard(9_000 + $0) }
        let isTaught = book.learn(lot, from: node(3_000), own: node(2_000), now: 0)
        #expect(isTaught)
        #expect(book.learned.count == Limits.learnedPeersCount)
        // Nine share what eight had: none has more than one beyond another.
        let ninth = lot.count { book.target($0.address) != nil }
        #expect((27...29).contains(ninth), "\(ninth)")
    }

    @Test func `What one tells now takes the place of what it told`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let (old, new) = ((0..<UInt64(32)).map(heard), (100..<UInt64(132)).map(heard))
        _ = book.learn(old, from: node(1_000), own: node(2_000), now: 0)
        _ = book.learn([heard(500)], from: node(1_001), own: node(2_000), now: 0)
        _ = book.learn(new, from: node(1_000), own: node(2_000), now: 0)
        #expect(book.learned.count == Limits.learnedPeersPerPeerCount + 1)
        #expect(new.allSatisfy { book.target($0.address) != nil })
        #expect(book.target(heard(500).address) != nil, "another's word stays")
    }

    @Test func `Whom to dial is chance`() {
        var first: Set<PeerAddress> = []
        for seed in 0..<UInt64(40) {
            var book = PeerBook([], chance: Chance(seed: seed))
            _ = book.learn((0..<UInt64(32)).map(heard), from: node(1_000), own: node(2_000), now: 0)
            let dials = book.dial(now: 0, sessions: Limits.wantedSessionsCount - 1, connected: [])
            #expect(dials.count == 1)
            first.formUnion(dials.map(\.1.address))
        }
        #expect(first.count > 15, "forty nodes that know the same addresses")
    }

    @Test func `Who is listed is dialled before whoever was learned`() {
        let listed = (0..<UInt64(6)).map {
            PeerTarget(address: PeerAddress(host: "z\($0)", port: 1), node: nil, origin: .listed)
        }
        var book = PeerBook(listed, chance: Chance(seed: 1))
        _ = book.learn((0..<UInt64(32)).map(heard), from: node(1_000), own: node(2_000), now: 0)
        let dials = book.dial(now: 0, sessions: 0, connected: [])
        #expect(dials.count == Limits.dialsCount)
        #expect(dials.prefix(6).map(\.1) == listed)
    }

    @Test func `Who asks is told some by chance`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for number in 0..<UInt64(100) {
            _ = book.heard(node(number), from: PeerAddress(host: "192.0.\(number).1", port: 1), now: number)
        }
        let shares = (0..<10).map { _ in book.share(except: node(0), now: 100) }
        #expect(shares.allSatisfy { $0.count == Limits.peersPerMessage && Set($0.map(\.node)).count == $0.count })
        #expect(Set(shares.joined().map(\.node)).count > 80)
    }

    @Test func `Who was reached keeps its place`() throws {
        var book = PeerBook([], chance: Chance(seed: 1))
        let first = PeerAddress(host: "192.0.2.7", port: 1)
        _ = book.heard(node(1), from: first, now: 0)
        let dial = try #require(book.dial(now: 0, sessions: 0, connected: []).first?.0)
        book.opened(dial, SessionID(raw: 1))
        _ = book.met(node(1), at: first, now: 1)
        book.lost(first, SessionID(raw: 1), openedAt: 0, refusal: nil, links: 1, now: 1)
        for number in 2..<UInt16(30) {
            let address = PeerAddress(host: "192.0.2.7", port: number)
            _ = book.heard(node(UInt64(number)), from: address, now: UInt64(number))
        }
        #expect(book.target(first) != nil)
        #expect(book.learned.count == Self.perHost)
    }

    @Test func `The nodes of one machine are many hosts`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for number in 1...UInt16(20) {
            _ = book.heard(node(UInt64(number)), from: PeerAddress(host: "127.0.0.1", port: number), now: 0)
        }
        #expect(book.learned.count == 20)
    }

    private func place(_ host: Int, port: UInt16 = 1) -> PeerAddress { PeerAddress(host: "10.0.0.\(host)", port: port) }

    @Test func `Who is found on the local network is dialled once and pinned`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let isNews = book.find(place(1), now: 0)
        let isNewsAgain = book.find(place(1), now: 60_000)
        #expect(isNews && !isNewsAgain)
        let dials = book.dial(now: 0, sessions: 0, connected: [])
        #expect(dials.map(\.1.address) == [place(1)])
        _ = book.met(node(1), at: place(1), now: 5)
        #expect(book.target(place(1))?.node == node(1))
        let shared = book.share(except: node(2), now: 6)
        #expect(shared.map(\.address) == [place(1)])
    }

    @Test func `Whoever lies to the local network fills no list`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        for port in UInt16(1)...100 { _ = book.find(place(1, port: port), now: UInt64(port)) }
        #expect(book.learned.count == Self.perHost)
        #expect(book.learned.map(\.address.port).max() == 4, "those that wait to be called keep their places")
        for host in 2..<200 { _ = book.find(place(host), now: UInt64(host) * 10_000) }
        #expect(book.learned.count == Limits.foundPeersCount)
    }

    @Test func `Who was reached stays found`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.find(place(1), now: 0)
        let dial = book.dial(now: 0, sessions: 0, connected: []).first?.0
        book.opened(dial ?? DialID(raw: 0), SessionID(raw: 1))
        _ = book.met(node(1), at: place(1), now: 1)
        for host in 2..<200 { _ = book.find(place(host), now: UInt64(host) * 10_000) }
        #expect(book.target(place(1)) != nil)
    }

    @Test func `Whoever shouts into the local network is called no more often`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        func shout(at now: UInt64) -> Int {
            (0..<2_000).count { book.find(PeerAddress(host: "10.\(now).\($0 / 200).\($0 % 200)", port: 1), now: now) }
        }
        #expect(shout(at: 5) == Limits.foundPeersAtOnceCount)
        #expect(shout(at: 10_004) == 0)
        #expect(shout(at: 10_005) == Limits.foundPeersAtOnceCount)
    }

    @Test func `Where another node answers what was learned is forgotten and both are met`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let told = HeardPeer(address: place(1), node: node(1))
        let isNews = book.learn([told], from: node(9), own: node(8), now: 0)
        #expect(isNews)
        book.met(impostor: node(2), at: place(1))
        let isHere = book.heard(node(2), from: place(1), now: 1)
        let hasMoved = book.heard(node(1), from: place(3), now: 1)
        #expect(isHere && hasMoved)
        #expect(book.target(place(1))?.node == node(2) && book.target(place(3))?.node == node(1))
    }

    @Test func `Where this node itself answers is looked at again and gives way`() throws {
        var book = PeerBook([], chance: Chance(seed: 1))
        func answers(_ now: UInt64) throws {
            let dial = try #require(book.dial(now: now, sessions: 0, connected: []).first?.0)
            book.opened(dial, SessionID(raw: now))
            let isNews = book.isOwn(place(1), now: now)
            #expect(!isNews)
            book.lost(place(1), SessionID(raw: now), openedAt: now, refusal: nil, links: 1, now: now)
        }
        _ = book.find(place(1), now: 0)
        try answers(0)
        let early = book.dial(now: Limits.ownAddressMilliseconds - 1, sessions: 0, connected: [])
        #expect(early.isEmpty)
        try answers(Limits.ownAddressMilliseconds)
        for host in 2..<200 { _ = book.find(place(host), now: UInt64(host) * 10_000) }
        #expect(book.target(place(1)) == nil && book.learned.count == Limits.foundPeersCount)
    }

    @Test func `What takes connections and is no node is forgotten`() {
        let listed = PeerTarget(address: place(2), node: nil, origin: .listed)
        var book = PeerBook([listed], chance: Chance(seed: 1))
        _ = book.find(place(1), now: 0)
        var now: UInt64 = 0
        var dials = 0
        for _ in 0..<20 {
            for (dial, target) in book.dial(now: now, sessions: 0, connected: []) {
                if target.address == place(1) { dials += 1 }
                book.opened(dial, SessionID(raw: now))
                book.lost(target.address, SessionID(raw: now), openedAt: now, refusal: nil, links: 1, now: now + 20_000)
            }
            now += 86_400_000
        }
        #expect(dials == Limits.learnedPeerAttempts + 1 && book.all.map(\.target) == [listed])
    }

    @Test func `Where a node answered once and nothing does now is forgotten`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        _ = book.heard(node(1), from: place(1), now: 0)
        var now: UInt64 = 0
        func dial(_ answer: Bool) {
            for (dial, target) in book.dial(now: now, sessions: 0, connected: []) {
                book.opened(dial, SessionID(raw: now))
                if answer { _ = book.met(node(1), at: target.address, now: now) }
                book.lost(
                    target.address,
                    SessionID(raw: now),
                    openedAt: now,
                    refusal: .tooManyPeers,
                    links: 1,
                    now: now + 1_000
                )
            }
            now += 86_400_000
        }
        for _ in 0..<20 { dial(true) }
        #expect(book.target(place(1)) != nil, "it answers, and has no room")
        dial(false)
        let hasMoved = book.heard(node(1), from: place(2), now: now)
        #expect(hasMoved && book.learned.map(\.address) == [place(2)])
        dial(true)
        for _ in 0...Limits.learnedPeerAttempts { dial(false) }
        #expect(book.learned.isEmpty)
    }

    @Test func `What a host does again and again is told once in ten minutes, and each kind apart`() {
        var book = PeerBook([], chance: Chance(seed: 1))
        let times = (0..<UInt64(10_000)).map { $0 * 1_000 }.filter {
            book.complain(of: HostNetwork("10.0.0.1"), .violation, now: $0)
        }
        #expect(times == (0..<17).map { $0 * 600_000 })
        let isTold = book.complain(of: HostNetwork("10.0.0.2"), .violation, now: 1)
        let isOtherTold = book.complain(of: HostNetwork("10.0.0.1"), .version, now: 9_999_000)
        #expect(isTold && isOtherTold)
    }

    @Test func `A node that was never met is told to nobody, whoever was met at its address`() {
        let before = PeerTarget(address: place(1), node: node(1), origin: .listed)
        var book = PeerBook([before], chance: Chance(seed: 1))
        _ = book.met(node(1), at: place(1), now: 1)
        #expect(book.share(except: node(9), now: 2).map(\.node) == [node(1)])
        _ = book.list([PeerTarget(address: place(1), node: node(2), origin: .listed)])
        #expect(book.share(except: node(9), now: 2).isEmpty)
    }

    @Test func `What a person listed stays whoever answers there`() {
        let listed = PeerTarget(address: place(1), node: node(1), origin: .listed)
        var book = PeerBook([listed], chance: Chance(seed: 1))
        book.met(impostor: node(2), at: place(1))
        #expect(book.target(place(1)) == listed)
    }
}

extension PeerBook {
    /// Where every connection counts.
    fileprivate mutating func dial(now: UInt64, sessions: Int, connected: Set<NodeID>) -> [(DialID, PeerTarget)] {
        dial(now: now, sessions: sessions, neighbours: sessions, connected: connected)
    }

    fileprivate func nextDue(now: UInt64, sessions: Int, connected: Set<NodeID>) -> UInt64? {
        nextDue(now: now, sessions: sessions, neighbours: sessions, connected: connected)
    }
}
