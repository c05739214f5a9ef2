import Entries
import Sodium
import TestSupport
import Testing

struct ChunkVerifierTests {
    private let verifier = ChunkVerifier(network: Writer.network)

    @Test func `A log verified over any split is the author's`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<60 {
            let writer = try Writer(UInt8(random.below(200)))
            let entries = random.entries(1 + random.below(40), log: writer.log)
            var prefix = LogPrefix.none
            var taken: [Entry] = []
            while taken.count < entries.count {
                let end = taken.count + 1 + random.below(entries.count - taken.count)
                let size = end + random.below(entries.count - end + 1)
                let chunk = writer.chunk(
                    of: entries,
                    taken.count..<end,
                    size: size,
                    withCertificate: taken.isEmpty || random.chance(2)
                )
                guard case .verified(let verified) = verifier.verify(chunk, over: prefix) else {
                    Issue.record("an honest chunk was refused")
                    return
                }
                #expect(verified.start == UInt64(taken.count))
                #expect(verified.end == UInt64(end))
                #expect(verified.reachesHead == (end == size))
                #expect(verified.certificate == writer.certificate)
                taken += verified.entries
                prefix = LogPrefix(certificate: verified.certificate, range: verified.tip)
            }
            #expect(taken == entries)
            #expect(prefix.range == writer.range(of: entries))
        }
    }

    @Test func `What the author makes is what a receiver verifies`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(4)
        let entries = random.entries(9, log: writer.log)
        let authored = VerifiedChunk(
            authoring: Array(entries[4...]),
            after: writer.range(of: entries[..<4]),
            certificate: writer.certificate,
            with: writer.device
        )
        let chunk = writer.chunk(of: entries, 4..<9, size: 9)
        #expect(verifier.verify(chunk, over: writer.prefix(of: entries, 4)) == .verified(authored))
    }

    @Test func `A chunk names each node that its entries complete, and what it was checked over`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(6)
        let entries = random.entries(1_300, log: writer.log)
        for _ in 0..<30 {
            let start = random.below(1_299)
            let end = start + 1 + random.below(entries.count - start)
            // Half of them leave out what is before.
            let held = random.chance(2) ? random.below(start + 1) : start
            var chunk = writer.chunk(of: entries, start..<end, size: end)
            if held < start {
                chunk.left = writer.range(of: entries[held..<start], from: UInt64(held)).nodes
                chunk.askedFrom = UInt64(held)
            }
            var whole = LogRange()
            var nodes: [TreeNode] = []
            for entry in entries[..<end] {
                let position = whole.bounds.upperBound
                whole.append(leaf: entry.id.raw) { place, hash in
                    guard position >= UInt64(start), place.level >= EntryLimits.lowestKeptLevel else { return }
                    nodes.append(TreeNode(place: place, hash: hash))
                }
            }
            guard case .verified(let verified) = verifier.verify(chunk, over: writer.prefix(of: entries, held)) else {
                Issue.record("an honest chunk was refused")
                return
            }
            #expect(verified.completed == nodes, "\(held), \(start)..<\(end)")
            #expect(verified.base == writer.range(of: entries[..<held]))
            #expect(verified.tip == whole)
        }
    }

    @Test func `An entry whose header has one field changed fails the proof`() throws {
        let writer = try Writer(5)
        let log = writer.log
        func entry(
            version: UInt8 = 1,
            flags: UInt8 = 1,
            kind: UInt16 = 1,
            time: UInt64 = 1_000,
            clock: UInt64 = 1_001,
            payload: [UInt8] = [1, 2, 3]
        ) -> Entry {
            Entry(
                version: version,
                flags: flags,
                kind: kind,
                log: log,
                sequence: 0,
                time: time,
                clock: clock,
                payload: payload
            )
        }
        let honest = writer.chunk(of: [entry()], 0..<1, size: 1)
        guard case .verified = verifier.verify(honest, over: .none) else {
            Issue.record("the honest chunk was refused")
            return
        }
        func withheld(length: UInt32, hash: PayloadHash) -> Entry {
            let header = EntryHeader(
                version: 1,
                flags: 1,
                kind: 1,
                log: log,
                sequence: 0,
                time: 1_000,
                clock: 1_001,
                length: length,
                payloadHash: hash
            )
            return Entry(withheld: header)
        }
        let hash = PayloadHash(of: [1, 2, 3])
        let changed: [(String, Entry)] = [
            ("version", entry(version: 2)), ("flags", entry(flags: 0)), ("kind", entry(kind: 2)),
            ("time", entry(time: 999)), ("clock", entry(clock: 1_002)), ("payload", entry(payload: [1, 2, 4])),
            ("length", withheld(length: 4, hash: hash)),
            ("hash", withheld(length: 3, hash: PayloadHash(of: [1, 2, 4]))),
        ]
        for (field, entry) in changed {
            let chunk = honest.with(entries: EntryCoding.encode([entry]))
            #expect(verifier.verify(chunk, over: .none) == .violation(.badProof), "\(field)")
        }
        // Withheld under its own length and hash it is the same entry.
        let erased = honest.with(entries: EntryCoding.encode([withheld(length: 3, hash: hash)]))
        guard case .verified = verifier.verify(erased, over: .none) else {
            Issue.record("a body may be withheld")
            return
        }
    }

    @Test func `Log and place are part of the proof`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(6)
        let other = try Writer(7)
        // The same bytes, but headers that name another log or begin at another place.
        let foreign = random.entries(3, log: other.log)
        let moved = random.entries(3, log: writer.log, from: 1)
        for entries in [foreign, moved] {
            let chunk = writer.chunk(of: entries, 0..<3, size: 3)
            #expect(verifier.verify(chunk, over: .none) == .violation(.badProof))
        }
    }

    @Test func `What does not fit is neither taken nor blamed`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(8)
        let entries = random.entries(9, log: writer.log)
        let chunk = writer.chunk(of: entries, 4..<7, size: 9)
        for held in [0, 3, 5, 7, 9] {
            #expect(verifier.verify(chunk, over: writer.prefix(of: entries, held)) == .doesNotFit)
        }
        let unknown = writer.chunk(of: entries, 0..<7, size: 9, withCertificate: false)
        #expect(verifier.verify(unknown, over: .none) == .certificateMissing)
    }

    @Test func `A disputed chunk is a fork if the sender's own prefix leads to the head, else a lie`() throws {
        var random = SeededRandom.announced()
        let writer = try Writer(9)
        let entries = random.entries(12, log: writer.log)
        for place in 0..<7 {
            let branch = entries[..<place] + random.entries(12 - place, log: writer.log, from: UInt64(place))
            let held = writer.prefix(of: Array(branch), 7)
            let chunk = writer.chunk(of: entries, 7..<10, size: 12, withCertificate: false)
            guard case .prefixDiffers(let dispute) = verifier.verify(chunk, over: held) else {
                Issue.record("a fork at \(place) was not seen")
                return
            }
            let honest = writer.range(of: entries[..<7]).nodes
            #expect(dispute.judge(prefix: honest, network: Writer.network) == .writerForked)
            #expect(dispute.judge(prefix: honest, network: NetworkID(name: "elsewhere")) == .lie)
            #expect(dispute.judge(prefix: held.range.nodes, network: Writer.network) == .lie)
            for wrong in [[], honest.dropLast(), honest + [.zero], honest.reversed()] {
                #expect(dispute.judge(prefix: Array(wrong), network: Writer.network) == .lie)
            }
        }
        // An entry or a signature forged over the right prefix: no prefix of the sender's helps.
        let honest = writer.chunk(of: entries, 7..<10, size: 12)
        let nodes = writer.range(of: entries[..<7]).nodes
        let none = try #require(Signature([UInt8](repeating: 0, count: 64)))
        for forged in [
            honest.with(entries: EntryCoding.encode(random.entries(3, log: writer.log, from: 7))),
            honest.with(signature: none),
        ] {
            guard case .prefixDiffers(let dispute) = verifier.verify(forged, over: writer.prefix(of: entries, 7)) else {
                Issue.record("a forged chunk was taken")
                return
            }
            #expect(dispute.judge(prefix: nodes, network: Writer.network) == .lie)
        }
    }
}
