import Entries
import Simulation
import Sodium
import Storage
import Testing

/// What was saved is missing, signed twice or in vain, or words are there that were deleted.
@Suite struct LossCheckerTests {
    @Test func `Saved sees a lost entry unless its home went back`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.excuse(but: [])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.forget(scene.log, from: 4, writer: .stops)
        scene.aftermath.ledger.excuse(but: [])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.forget(scene.log, from: 2, writer: .stops)
        scene.aftermath.ledger.excuse(but: [scene.entries[3]])
        scene.expect(SavedChecker.self)
        #expect(scene.aftermath.ledger.excused == [scene.entries[2].id], "somebody has the other")
        scene.aftermath.ledger.excuse(but: [])
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [], "it was written all the same")
    }

    @Test func `Saved sees a lost entry that somebody had without a gap when its home left`() throws {
        var scene = try CheckerScene()
        scene.aftermath.ledger.leave(scene.log, from: 3)
        // It was there, behind a gap.
        scene.aftermath.ledger.excuse(but: scene.entries)
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        #expect(SavedChecker.look(at: scene.aftermath) == [], "the gap may have given way")
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.leave(scene.log, from: 4)
        scene.aftermath.ledger.excuse(but: [])
        scene.expect(SavedChecker.self)
        // The only other home that had so much of it left as well.
        scene.aftermath.ledger.leave(scene.log, from: 2)
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [], "what is there was signed all the same")
    }

    @Test func `Saved sees a lost body unless its home left and nobody else had it`() throws {
        var scene = try CheckerScene()
        let bare = Entry(withheld: scene.entries[1].header)
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?[1] = bare }
        scene.aftermath.ledger.leave(scene.log, from: 4)
        scene.aftermath.ledger.excuse(but: [bare, scene.entries[1]])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.excuse(but: [bare])
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].entries[scene.log]?.removeSubrange(1..<4)
        scene.expect(SavedChecker.self)
    }

    @Test func `What a person ended is missed by nobody who knows that`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        let network = NetworkID(name: "checkers")
        let held = try #require(scene.aftermath.sites[1].items[scene.log])
        func note(_ log: LogID, _ size: UInt64) {
            scene.aftermath.ledger.note(
                Settlement(network: network, identity: scene.identity, log: log, size: size, root: .zero, serial: 1)
            )
        }
        func settle(at size: UInt64) {
            scene.aftermath.sites[1].items[scene.log] = FrontierItem(
                log: scene.log,
                size: size,
                root: held.root,
                settled: .init(size: size, root: held.root)
            )
        }
        note(scene.log, 3)
        scene.expect(SavedChecker.self)
        settle(at: 4)
        scene.expect(SavedChecker.self)
        settle(at: 3)
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(SavedChecker.self)
        note(LogID(raw: .zero), 0)
        scene.expect(SavedChecker.self)
        let end = LogID(endOf: scene.identity, in: network)
        scene.aftermath.sites[1].items[end] = FrontierItem(log: end, size: 0, root: .zero)
        #expect(SavedChecker.look(at: scene.aftermath) == [])
    }

    @Test func `Erasure sees the words of an account that ended`() throws {
        var scene = try CheckerScene()
        let network = NetworkID(name: "checkers")
        let end = LogID(endOf: scene.identity, in: network)
        scene.aftermath.ledger.note(
            Settlement(
                network: network,
                identity: scene.identity,
                log: LogID(raw: .zero),
                size: 0,
                root: .zero,
                serial: 1
            )
        )
        for place in 0..<3 { scene.aftermath.sites[place].tokens = [1, 2, 3, 4] }
        #expect(ErasureChecker.look(at: scene.aftermath) == [], "nobody knows")
        let logs = [scene.log, end]
        scene.aftermath.sites[1].identities[end] = scene.identity
        scene.aftermath.sites[1].items[end] = FrontierItem(log: end, size: 0, root: .zero)
        #expect(ErasureChecker.look(at: scene.aftermath).count == 2, "words, and the log")
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].entries = [:]
        scene.aftermath.sites[1].items[logs[0]] = nil
        scene.aftermath.sites[1].identities[logs[0]] = nil
        scene.expect(ErasureChecker.self)
        scene.aftermath.sites[1].tokens = []
        #expect(ErasureChecker.look(at: scene.aftermath) == [])
    }

    @Test func `Saved sees a lost body unless its home went back and nobody else had it`() throws {
        var scene = try CheckerScene()
        let bare = Entry(withheld: scene.entries[3].header)
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?[3] = bare }
        scene.aftermath.ledger.excuse(but: [bare])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.forget(scene.log, from: 3, writer: .stops)
        scene.aftermath.ledger.excuse(but: [bare, scene.entries[3]])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.excuse(but: [bare])
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?.removeLast() }
        scene.expect(SavedChecker.self)
    }

    @Test func `Saved accepts an entry that its person signed again`() throws {
        var scene = try CheckerScene()
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?.removeLast() }
        scene.aftermath.ledger.forget(scene.log, from: 3, writer: .goesOn)
        scene.expect(SavedChecker.self)
        let next = LogID(raw: Author.bytes(8, "next"))
        scene.aftermath.ledger.follow(next, after: scene.log)
        scene.expect(SavedChecker.self)
        let old = scene.entries[3]
        func again(_ payload: [UInt8]?) -> Entry {
            Entry(
                flags: 1,
                kind: old.header.kind,
                log: next,
                sequence: 0,
                time: old.header.time,
                clock: 9,
                payload: payload ?? []
            )
        }
        for (payload, isSame) in [(old.payload, true), (scene.entries[2].payload, false)] {
            for place in 0..<3 {
                scene.aftermath.sites[place].entries[next] = [again(payload)]
                scene.aftermath.sites[place].identities[next] = scene.identity
            }
            #expect(SavedChecker.look(at: scene.aftermath).isEmpty == isSame)
        }
    }

    @Test func `Fork sees a log that goes on behind a backup unless a witness had nothing`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.aftermath.ledger.forget(scene.log, from: 3, writer: .goesOn)
        scene.aftermath.ledger.sign(scene.foreign(at: 3), node: 1)
        #expect(scene.aftermath.ledger.signedTwice.isEmpty, "it may never have left")
        scene.aftermath.ledger.noteWitness(of: scene.log, size: 4)
        scene.expect(HonestForkChecker.self)
        scene.aftermath.ledger.noteWitness(of: scene.log, size: 3)
        #expect(HonestForkChecker.look(at: scene.aftermath) == [])
        scene.aftermath.ledger.sign(scene.entries[3], node: 1)
        scene.expect(HonestForkChecker.self)
    }

    @Test func `Saved sees a body that nobody deleted`() throws {
        var scene = try CheckerScene()
        let bare = Entry(withheld: scene.entries[1].header)
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?[1] = bare }
        #expect(HeldChecker.look(at: scene.aftermath) == [], "the headers are all there")
        #expect(SavedChecker.look(at: scene.aftermath).count == 3)
        let delete = try scene.delete(scene.entries[1], at: 4)
        for place in 0..<2 { scene.aftermath.sites[place].entries[scene.log]?.append(delete) }
        #expect(SavedChecker.look(at: scene.aftermath).count == 1, "where no delete counts, it is missing")
    }

    @Test func `Fork sees a place signed twice and evidence`() throws {
        var scene = try CheckerScene()
        scene.aftermath.ledger.sign(scene.foreign(at: 2), node: 1)
        scene.expect(HonestForkChecker.self)
        scene = try CheckerScene()
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.expect(HonestForkChecker.self)
    }

    @Test func `Supplied sees a gap that somebody could fill`() throws {
        var scene = try CheckerScene()
        for place in 0..<3 { scene.leaveOut(1..<3, at: place) }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "nobody has it")
        scene = try CheckerScene()
        scene.leaveOut(1..<3, at: 0)
        scene.leaveOut(2..<3, at: 1)
        scene.leaveOut(1..<2, at: 2)
        let names = SuppliedChecker.look(at: scene.aftermath)
        #expect(names.count == 2, "who has a part of it fills nothing: \(names)")
        scene = try CheckerScene()
        scene.leaveOut(1..<3, at: 1)
        scene.expect(SuppliedChecker.self)
        for place in [0, 2] { scene.aftermath.sites[place].items = [:] }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "others hold another history")
    }

    @Test func `Supplied sees a body that somebody has`() throws {
        var scene = try CheckerScene()
        let place = BodyPlace(log: scene.log, sequence: 2)
        scene.aftermath.sites[1].missingBodies = [place]
        scene.expect(SuppliedChecker.self)
        for number in [0, 2] {
            scene.aftermath.sites[number].entries[scene.log]?[2] = Entry(withheld: scene.entries[2].header)
        }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "nobody has it")
    }

    @Test func `Wants sees what is asked for and not lacked or the other way round`() throws {
        var scene = try CheckerScene()
        scene.aftermath.sites[1].wantedBodies = 1
        scene.expect(WantsChecker.self)
        scene.aftermath.sites[1].missingBodies = [BodyPlace(log: scene.log, sequence: 2)]
        #expect(WantsChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].wantedBodies = 0
        scene.expect(WantsChecker.self)
        scene = try CheckerScene()
        scene.leaveOut(1..<3, at: 0)
        scene.expect(WantsChecker.self)
        scene.aftermath.sites[0].wantedGaps = 1
        #expect(WantsChecker.look(at: scene.aftermath) == [])
    }

    @Test func `Erasure sees words that were deleted`() throws {
        var scene = try CheckerScene()
        let delete = try scene.delete(scene.entries[1], at: 4)
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?.append(delete) }
        scene.aftermath.sites[1].tokens = [1, 3, 4, 9]
        #expect(ErasureChecker.look(at: scene.aftermath) == [], "others may be there")
        scene.aftermath.sites[1].tokens = Ledger.tokens(in: Array("xx nut#1; nut#2; acorn nut#3; nut#4; nut#".utf8))
        #expect(scene.aftermath.sites[1].tokens == [1, 2, 3, 4])
        scene.expect(ErasureChecker.self)
        scene.aftermath.sites[1].tokens = [1, 3]
        #expect(ErasureChecker.look(at: scene.aftermath).count == 1, "what is held is not found: nobody can look")
        scene.aftermath.sites[1].tokens = []
        scene.expect(ErasureChecker.self)
    }
}
