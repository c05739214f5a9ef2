import Simulation
import Sync
import Testing

/// Small trials: each family of faults by itself, and all of them at once.
@Suite struct TrialTests {
    private func options(_ seed: UInt64, _ faults: Set<Fault>, nodes: Int = 5, hours: Double = 0.4) -> TrialOptions {
        var options = TrialOptions(seed: seed)
        options.nodes = nodes
        options.hours = hours
        options.faults = faults
        return options
    }

    private func expectGood(_ options: TrialOptions, sourceLocation: SourceLocation = #_sourceLocation) throws
        -> Verdict
    {
        let verdict = try Trial(options).run()
        #expect(
            verdict.isGood,
            "seed \(options.seed): \(verdict.lines.joined(separator: "\n"))",
            sourceLocation: sourceLocation
        )
        return verdict
    }

    @Test func `A quiet network is good`() throws {
        _ = try expectGood(options(1, []))
    }

    @Test(
        arguments: [
            [.latency, .resets, .halfopen, .oneway, .partition, .slowreader], [.crash, .powercut, .diskfull], [.backup],
            [.clock], [.damage, .ending], [.equivocation], [.withholding], [.forgery, .replay, .proof],
            [.endless, .flood],
        ] as [Set<Fault>]
    )
    func `A network survives a family of faults`(faults: Set<Fault>) throws {
        // Nobody brings a backup back more often than every few hours.
        let verdict = try expectGood(options(3, faults, hours: faults.contains(.backup) ? 12 : 0.4))
        #expect(Set(verdict.faults.keys) == faults, "each of them happened")
    }

    @Test func `Clocks are right once everything is mended`() throws {
        let trial = try Trial(options(3, [.clock], nodes: 8))
        let verdict = try trial.run()
        #expect(verdict.faults[.clock] ?? 0 > 8, "some jumped, too")
        #expect(trial.sites.map(\.clockError).allSatisfy { $0 == 0 })
    }

    @Test func `Nodes go down in the moments that matter`() throws {
        var often = options(2, [.crash, .powercut], nodes: 8)
        for measure in [FaultMeasures.Measure.crashEvery, .powercutEvery] { often.measures[measure] = 5_000...5_000 }
        for measure in [FaultMeasures.Measure.crash, .powercut] { often.measures[measure] = 2_000...20_000 }
        let trial = try Trial(often)
        let verdict = try trial.run()
        #expect(verdict.isGood, "\(verdict.lines.joined(separator: "\n"))")
        #expect(Set(trial.ambushes.keys) == Set(AmbushMoment.ofCrashes), "\(trial.ambushes)")
    }

    @Test func `Nodes leave for good in the midst of an answer and the others agree`() throws {
        var left: UInt64 = 0
        // Who is to leave is not always asked for something.
        for seed in UInt64(1)...4 where left == 0 {
            var leaving = options(seed, [.departure], hours: 3)
            leaving.measures[.departureEvery] = 60_000...60_000
            let trial = try Trial(leaving)
            let verdict = try trial.run()
            #expect(verdict.isGood, "seed \(seed): \(verdict.lines.joined(separator: "\n"))")
            left += trial.ambushes[.answer] ?? 0
            #expect(UInt64(verdict.faults[.departure] ?? 0) == trial.ambushes[.answer] ?? 0)
            #expect(trial.sites.count { $0.isRunning } == 5 - (verdict.faults[.departure] ?? 0))
        }
        #expect(left > 0)
    }

    @Test func `A home in memory loses nothing by a power cut`() throws {
        var light = options(7, [.powercut], nodes: 3, hours: 0.1)
        light.store = .light
        #expect(try expectGood(light).faults.isEmpty)
    }

    /// A lie that never comes to the check that is to find it tells nothing.
    @Test func `Lies are told and caught`() throws {
        let caught: [Falsehood] = [
            .forgedEntry, .forgedSettlement, .forgedEvidence, .usurpedDevice, .foreign, .shortProof, .wrongProof,
            .wrongPrefix, .garbledHandshake, .twoHistories,
        ]
        // Nothing comes of them, and nobody is to blame.
        let dropped: [Falsehood] = [.repeatedEntries, .erasedBodies, .headBeyondCut, .ownLogClaim]
        func missing(_ lies: LieTally) -> [Falsehood] {
            caught.filter { lies.caught[$0] == nil } + dropped.filter { lies.told[$0] == nil }
        }
        var lies = LieTally()
        // Most are told in each trial; which are not is the seed's matter.
        for seed in UInt64(1)...6 where !missing(lies).isEmpty || lies.turnedAway == 0 {
            lies.add(try expectGood(options(seed, [.forgery, .replay, .proof, .equivocation], hours: 1)).lies)
        }
        #expect(missing(lies) == [], "\(lies.words)")
        #expect(lies.turnedAway > 0, "who was caught is not heard again")
    }

    @Test func `A network survives everything at once`() throws {
        _ = try expectGood(options(11, Set(Fault.allCases), nodes: 6))
    }

    @Test func `A tree grows where few links are branches and survives faults`() throws {
        var thin = options(4, [.resets, .crash], nodes: 6)
        thin.eagerLinks = 1
        let trial = try Trial(thin)
        let verdict = try trial.run()
        #expect(verdict.isGood, "\(verdict.lines.joined(separator: "\n"))")
        // The type of Branch (`protocol/sync.md` §2).
        let branches = trial.sites.map { $0.spoken.byType.first { $0.type == 23 }?.count ?? 0 }
        #expect(branches.reduce(0, +) > 0)
    }

    @Test func `The same seed gives the same trace`() throws {
        var twice = options(5, Set(Fault.allCases))
        twice.trace = .lines
        let traces = try (0..<2).map { _ in
            let trial = try Trial(twice)
            _ = try trial.run()
            return trial.trace
        }
        #expect(traces[0].count > 1_000)
        let place = zip(traces[0].lines, traces[1].lines).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(place == nil, "line \(place?.offset ?? 0): \(place?.element.0 ?? "") | \(place?.element.1 ?? "")")
        #expect(traces[0].hash == traces[1].hash)
    }

    @Test func `Another seed gives another trace`() throws {
        let hashes = try [UInt64(1), 2].map { try Trial(options($0, [], nodes: 3, hours: 0.1)).run().traceHash }
        #expect(hashes[0] != hashes[1])
    }

    @Test func `A trial in memory converges too`() throws {
        var light = options(7, [.resets, .crash, .partition])
        light.store = .light
        _ = try expectGood(light)
    }

    @Test func `A list of measures is read`() throws {
        let (faults, measures) = try #require(
            Fault.parseMeasured("crash,latency=60ms,partition=5..90min,path=10..20ms")
        )
        #expect(faults == [.crash, .latency, .partition])
        #expect(measures[.latency] == 60...60)
        #expect(measures[.partition] == 300_000...5_400_000)
        #expect(measures[.path] == 10...20)
        #expect(measures[.oneway] == FaultMeasures.Measure.oneway.usual)
        #expect(measures.words(of: faults) == ["path=10..20ms", "latency=60ms", "partition=5..90min"])
        #expect(measures.words(of: [.crash]) == ["path=10..20ms"])
        let usual = try #require(Fault.parseMeasured("all,latency=500..3000ms"))
        #expect(usual.measures == FaultMeasures())
        for measure in FaultMeasures.Measure.allCases {
            var given = FaultMeasures()
            given[measure] = 7...11
            let word = try #require(given.words(of: Set(Fault.allCases)).first)
            #expect(Fault.parseMeasured("all,\(word)")?.measures == given, "\(word)")
        }
        for wrong in [
            "latency=", "latency=5", "latency=9..5ms", "latency=1..2..3ms", "latency=5..B/s", "latency=5.5s",
            "slowreader=5ms", "slowreader=0B/s", "path=0ms", "thunder=5ms", "latency=1001h", "all,,crash",
            "latency=-5ms",
            "latency=05ms", "latency=99999999999999999999ms",
        ] {
            #expect(Fault.parseMeasured(wrong) == nil, "\(wrong)")
        }
    }

    @Test func `A list of faults is read`() {
        #expect(Fault.parse("all") == Set(Fault.allCases))
        #expect(Fault.parse("none") == [])
        #expect(Fault.parse("crash,clock") == [.crash, .clock])
        #expect(Fault.parse("crash,thunder") == nil)
    }
}
