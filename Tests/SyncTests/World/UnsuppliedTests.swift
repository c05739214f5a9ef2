import Entries
import Simulation
import Sodium
import Testing

@testable import Sync

/// Claims that nobody honours: they are asked for, and not told as missing (`protocol/node.md` §3).
struct UnsuppliedTests {
    /// A node that holds one entry of an author whose log has more, elsewhere.
    private struct Scene {
        let town: Town
        let log: LogID
        /// One entry, and the three that there are in truth.
        let source = LightStore()

        init(seed: UInt64) throws {
            town = try Town(nodes: 1, seed: seed)
            var author = Author(seed: 6, network: town.network)
            log = author.log
            for post in 0..<3 {
                let chunk = author.write("post \(post)", at: UInt64(post))
                _ = try source.append(chunk)
                if post == 0 { try town.plant([chunk], on: 0) }
            }
            try town.startAll()
        }

        func stranger(_ seed: UInt64) -> Stranger {
            let stranger = Stranger(town.world, seed: seed)
            stranger.greet()
            return stranger
        }

        func claim(_ size: UInt64, _ number: UInt64 = 1) -> Message {
            .changes(Changes(logs: [LogSize(log: log, size: size)], number: number))
        }

        var lacking: Message { .chunks(Chunks(chunks: [], lacking: [log])) }
        var wanted: Int? { town.status(0)?.wantedLogs }
        var unsupplied: Int? { town.status(0)?.unsuppliedLogs }
    }

    @Test func `What its claimer has not is not missing`() throws {
        let scene = try Scene(seed: 3_301)
        let liar = scene.stranger(1)
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        #expect(scene.wanted == 1 && scene.unsupplied == 0, "it may be true")
        liar.serve(LightStore())
        liar.send(scene.lacking)
        liar.run(milliseconds: 100)
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
        let asked = liar.wants.count
        liar.run(milliseconds: 4_000)
        #expect(liar.wants.count > asked, "it is asked for all the same")
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
        #expect(scene.town.violations(0).isEmpty)
    }

    @Test func `What is claimed later is noted too`() throws {
        let scene = try Scene(seed: 3_309)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        #expect(scene.town.stores[0].wantedLogs == [LogSize(log: scene.log, size: 4)])
        // Its cursor goes on only because this is noted as well.
        liar.send(scene.claim(9, 2))
        liar.run(milliseconds: 100)
        #expect(scene.town.stores[0].wantedLogs == [LogSize(log: scene.log, size: 9)])
    }

    @Test func `What is claimed often is wanted as long`() throws {
        let scene = try Scene(seed: 3_311)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        for number in 1...UInt64(Limits.patientWantAttempts + 1) {
            liar.send(scene.claim(4, number))
            liar.run(milliseconds: 20)
        }
        // Its cursor has passed it all.
        liar.run(milliseconds: 100)
        #expect(scene.town.stores[0].wantedLogs == [LogSize(log: scene.log, size: 4)])
    }

    @Test func `No cursor passes what its peer lacks while another claims it`() throws {
        let scene = try Scene(seed: 3_310)
        let liar = scene.stranger(1)
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        let other = scene.stranger(2)
        other.send(scene.claim(4))
        other.run(milliseconds: 100)
        liar.send(scene.lacking)
        liar.run(milliseconds: 10_000)
        other.run(milliseconds: 100)
        #expect(other.wants.count == 1 && scene.town.stores[0].wantedLogs.isEmpty)
        #expect(scene.town.stores[0].cursor(of: liar.id) == nil)
    }

    @Test func `What another claims is missing until it fails too`() throws {
        let scene = try Scene(seed: 3_302)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
        let other = scene.stranger(2)
        other.send(scene.claim(4))
        other.run(milliseconds: 2_000)
        #expect(scene.wanted == 1 && scene.unsupplied == 0)
        other.send(scene.lacking)
        other.run(milliseconds: 100)
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
    }

    @Test func `Who was asked in vain is asked and not believed`() throws {
        let scene = try Scene(seed: 3_303)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        liar.answer = { _ in [] }
        let asked = liar.wants.count
        liar.send(scene.claim(9, 2))
        liar.run(milliseconds: 100)
        #expect(liar.wants.count == asked + 1)
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
        // Once it has shown that there was more, its next word counts.
        liar.serve(scene.source)
        liar.send(.chunks(try chunks(from: 1, scene)))
        liar.run(milliseconds: 100)
        #expect(scene.town.stores[0].size(scene.log) == 3)
        liar.answer = { _ in [] }
        liar.send(scene.claim(9, 3))
        liar.run(milliseconds: 1_000)
        #expect(scene.unsupplied == 1, "it did not have the rest either")
    }

    @Test func `Who answers is believed again`() throws {
        let scene = try Scene(seed: 3_304)
        let peer = scene.stranger(1)
        peer.serve(LightStore())
        peer.send(scene.claim(9))
        peer.run(milliseconds: 100)
        #expect(scene.wanted == 0 && scene.unsupplied == 1)
        // What is asked next it answers in part, and what is asked then not at all.
        peer.answer = { _ in [] }
        peer.send(scene.claim(9, 2))
        peer.run(milliseconds: 100)
        peer.send(.chunks(try chunks(from: 1, scene)))
        peer.run(milliseconds: 100)
        #expect(peer.wants.last?.from == 3)
        #expect(scene.wanted == 1 && scene.unsupplied == 0)
    }

    @Test func `Who comes again is believed again`() throws {
        let scene = try Scene(seed: 3_305)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        liar.send(scene.claim(4))
        liar.run(milliseconds: 100)
        scene.town.world.hangUp(liar.session)
        let again = scene.stranger(1)
        again.send(scene.claim(4))
        again.run(milliseconds: 100)
        #expect(scene.wanted == 1 && scene.unsupplied == 0)
        scene.town.world.hangUp(again.session)
        again.run(milliseconds: 100)
        #expect(scene.wanted == 0 && scene.unsupplied == 1, "who is gone claims nothing")
    }

    @Test func `What a liar spoilt somebody else brings`() throws {
        let scene = try Scene(seed: 3_306)
        let liar = scene.stranger(1)
        liar.serve(LightStore())
        liar.send(scene.claim(3))
        liar.run(milliseconds: 100)
        let honest = scene.stranger(2)
        honest.serve(scene.source)
        honest.send(scene.claim(3))
        honest.run(milliseconds: 200)
        #expect(scene.town.stores[0].size(scene.log) == 3)
        #expect(scene.wanted == 0 && scene.unsupplied == 0)
        #expect(scene.town.stores[0].wantedLogs.isEmpty)
    }

    private func chunks(from start: UInt64, _ scene: Scene) throws -> Chunks {
        let want = RangeWant(log: scene.log, from: start, certificate: .known)
        var chunks = Chunks()
        for case .chunk(let chunk) in try scene.source.ranges([want], byteLimit: 100_000) {
            chunks.chunks.append(chunk)
        }
        return chunks
    }
}
