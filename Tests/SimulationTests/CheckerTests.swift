import Entries
import Simulation
import Sodium
import Storage
import Sync
import Testing

/// Each checker is handed a world in which what it looks for was planted, and one in which it was not.
@Suite struct CheckerTests {
    /// Three nodes that hold the same four entries of one honest writer.
    private struct Scene {
        var aftermath: Aftermath
        let entries: [Entry]
        let log: LogID
        let identity: IdentityID

        init() throws {
            var author = Author(seed: 1, network: NetworkID(name: "checkers"))
            var ledger = Ledger()
            ledger.enroll(author.log, of: author.certificate.certificate.identity)
            var payloads: [[UInt8]] = []
            for number in 0..<4 {
                let salt = try #require(Salt([UInt8](repeating: UInt8(number), count: 16)))
                let text = Ledger.text(ledger.drawToken(), "acorn")
                payloads.append(Payload.post(try Post(salt: salt, text: text)).encode())
            }
            let chunk = author.write(payloads, at: 1_000)
            for entry in chunk.entries {
                ledger.sign(entry, node: 0)
                ledger.tell(entry, node: 0)
            }
            log = author.log
            identity = author.certificate.certificate.identity
            entries = chunk.entries
            let item = FrontierItem(log: log, size: 4, root: chunk.tip.root ?? .zero)
            var sum = FingerprintSum()
            sum.insert(item.id)
            let sites = (0..<3).map { number in
                var site = SiteSnapshot(number: number, node: NodeID(raw: Author.bytes(UInt64(number), "node")))
                site.fingerprint = sum.fingerprint
                site.items = [chunk.certificate.log: item]
                site.identities = [chunk.certificate.log: chunk.certificate.certificate.identity]
                site.entries = [chunk.certificate.log: chunk.entries]
                return site
            }
            aftermath = Aftermath(sites: sites, ledger: ledger, violations: [], wall: 2_000, hadLiars: false)
        }

        /// An entry in the writer's log that the writer did not write.
        func foreign(at sequence: UInt64) -> Entry {
            Entry(flags: 1, kind: 1, log: log, sequence: sequence, time: 9, clock: 9, payload: [1])
        }

        /// What the writer deletes.
        func delete(_ entry: Entry, at sequence: UInt64) throws -> Entry {
            Entry(
                flags: 0,
                kind: EntryKind.delete.rawValue,
                log: log,
                sequence: sequence,
                time: 9,
                clock: 9,
                payload: Payload.delete(try Delete(entries: [entry.id])).encode()
            )
        }

        /// Another writer's log of one entry, which every node holds; a copy with another body to plant.
        mutating func addStranger() throws -> (log: LogID, other: Entry) {
            var author = Author(seed: 2, network: NetworkID(name: "checkers"))
            let salt = try #require(Salt([UInt8](repeating: 9, count: 16)))
            let chunk = author.write([Payload.post(try Post(salt: salt, text: "elsewhere")).encode()], at: 1_000)
            for place in aftermath.sites.indices {
                aftermath.sites[place].items[author.log] = FrontierItem(
                    log: author.log,
                    size: 1,
                    root: chunk.tip.root ?? .zero
                )
                aftermath.sites[place].identities[author.log] = author.certificate.certificate.identity
                aftermath.sites[place].entries[author.log] = chunk.entries
            }
            let other = Payload.post(try Post(salt: salt, text: "nowhere")).encode()
            return (
                author.log,
                Entry(flags: 1, kind: 1, log: author.log, sequence: 0, time: 9, clock: 9, payload: other)
            )
        }

        /// Makes a gap at a node.
        mutating func leaveOut(_ gap: Range<Int>, at place: Int) {
            aftermath.sites[place].gaps[log] = UInt64(gap.lowerBound)..<UInt64(gap.upperBound)
            aftermath.sites[place].entries[log]?.removeSubrange(gap)
        }

        func expect(_ checker: any Checker.Type, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(!checker.look(at: aftermath).isEmpty, sourceLocation: sourceLocation)
        }
    }

    @Test func aGoodWorldIsGood() throws {
        let scene = try Scene()
        #expect(Checkers.findings(in: scene.aftermath) == [])
    }

    @Test func convergenceSeesAnotherFingerprintAndADeadNode() throws {
        var scene = try Scene()
        scene.aftermath.sites[1].fingerprint = FingerprintSum().fingerprint
        scene.expect(ConvergenceChecker.self)
        scene = try Scene()
        scene.aftermath.sites[2].fingerprint = nil
        scene.expect(ConvergenceChecker.self)
    }

    @Test func fingerprintSeesAnItemThatIsNotWhatIsCompared() throws {
        var scene = try Scene()
        let held = try #require(scene.aftermath.sites[0].items[scene.log])
        let parts: [FrontierItem] = [
            FrontierItem(log: scene.log, size: 3, root: held.root),
            FrontierItem(log: scene.log, size: 4, root: .zero),
            FrontierItem(log: scene.log, size: 4, root: held.root, cut: 4),
            FrontierItem(log: scene.log, size: 4, root: held.root, settled: .init(size: 5, root: held.root)),
        ]
        for item in parts {
            #expect(FingerprintChecker.look(at: scene.aftermath) == [])
            for place in 0..<3 { scene.aftermath.sites[place].items[scene.log] = item }
            #expect(FingerprintChecker.look(at: scene.aftermath).count == 3, "\(item)")
            for place in 0..<3 { scene.aftermath.sites[place].items[scene.log] = held }
        }
    }

    @Test func savedSeesALostEntryUnlessItsHomeWentBack() throws {
        var scene = try Scene()
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.excuse(but: [])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.forget(scene.log, from: 4, mayGoOn: false)
        scene.aftermath.ledger.excuse(but: [])
        scene.expect(SavedChecker.self)
        scene.aftermath.ledger.forget(scene.log, from: 2, mayGoOn: false)
        scene.aftermath.ledger.excuse(but: [scene.entries[3]])
        scene.expect(SavedChecker.self)
        #expect(scene.aftermath.ledger.excused == [scene.entries[2].id], "somebody has the other")
        scene.aftermath.ledger.excuse(but: [])
        #expect(SavedChecker.look(at: scene.aftermath) == [])
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [], "it was written all the same")
    }

    @Test func savedAcceptsAnEntryThatItsPersonSignedAgain() throws {
        var scene = try Scene()
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?.removeLast() }
        scene.aftermath.ledger.forget(scene.log, from: 3, mayGoOn: true)
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

    @Test func forkSeesALogThatGoesOnBehindABackupUnlessAWitnessHadNothing() throws {
        var scene = try Scene()
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.aftermath.ledger.forget(scene.log, from: 3, mayGoOn: true)
        scene.aftermath.ledger.sign(scene.foreign(at: 3), node: 1)
        #expect(scene.aftermath.ledger.signedTwice.isEmpty, "it may never have left")
        scene.aftermath.ledger.noteWitness(of: scene.log, size: 4)
        scene.expect(HonestForkChecker.self)
        scene.aftermath.ledger.noteWitness(of: scene.log, size: 3)
        #expect(HonestForkChecker.look(at: scene.aftermath) == [])
        scene.aftermath.ledger.sign(scene.entries[3], node: 1)
        scene.expect(HonestForkChecker.self)
    }

    @Test func savedSeesABodyThatNobodyDeleted() throws {
        var scene = try Scene()
        let bare = Entry(withheld: scene.entries[1].header)
        for place in 0..<3 { scene.aftermath.sites[place].entries[scene.log]?[1] = bare }
        #expect(HeldChecker.look(at: scene.aftermath) == [], "the headers are all there")
        #expect(SavedChecker.look(at: scene.aftermath).count == 3)
        let delete = try scene.delete(scene.entries[1], at: 4)
        for place in 0..<2 { scene.aftermath.sites[place].entries[scene.log]?.append(delete) }
        #expect(SavedChecker.look(at: scene.aftermath).count == 1, "where no delete counts, it is missing")
    }

    @Test func forkSeesAPlaceSignedTwiceAndEvidence() throws {
        var scene = try Scene()
        scene.aftermath.ledger.sign(scene.foreign(at: 2), node: 1)
        scene.expect(HonestForkChecker.self)
        scene = try Scene()
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.expect(HonestForkChecker.self)
    }

    @Test func authenticitySeesWhatNobodyWrote() throws {
        var scene = try Scene()
        let foreign = scene.foreign(at: 2)
        scene.aftermath.sites[1].entries[scene.log]?[2] = foreign
        scene.expect(AuthenticityChecker.self)
    }

    @Test func heldSeesOtherEntriesThanTheItemSays() throws {
        var scene = try Scene()
        scene.aftermath.sites[1].entries[scene.log]?.removeLast()
        scene.expect(HeldChecker.self)
        scene = try Scene()
        let foreign = scene.foreign(at: 0)
        scene.aftermath.sites[2].entries[scene.log]?[0] = foreign
        scene.expect(HeldChecker.self)
    }

    @Test func authenticitySeesALogThatItsPersonNeverHad() throws {
        var scene = try Scene()
        let other = LogID(raw: Author.bytes(7, "log"))
        scene.aftermath.sites[1].entries[other] = [scene.foreign(at: 0)]
        scene.aftermath.sites[1].identities[other] = IdentityID(raw: Author.bytes(7, "somebody"))
        #expect(AuthenticityChecker.look(at: scene.aftermath) == [], "anybody may write")
        scene.aftermath.sites[1].identities[other] = scene.identity
        scene.expect(AuthenticityChecker.self)
    }

    @Test func heldLetsAGapBeButNothingElseInIt() throws {
        var scene = try Scene()
        scene.aftermath.sites[1].gaps[scene.log] = 1..<3
        scene.expect(HeldChecker.self)
        scene.aftermath.sites[1].entries[scene.log]?.removeSubrange(1..<3)
        #expect(HeldChecker.look(at: scene.aftermath) == [])
        #expect(scene.aftermath.sites[1].entry(0, of: scene.log)?.id == scene.entries[0].id)
        #expect(scene.aftermath.sites[1].entry(2, of: scene.log) == nil)
        #expect(scene.aftermath.sites[1].entry(3, of: scene.log)?.id == scene.entries[3].id)
        #expect(scene.aftermath.sites[1].entry(4, of: scene.log) == nil)
        let foreign = scene.foreign(at: 3)
        scene.aftermath.sites[1].entries[scene.log]?[1] = foreign
        scene.expect(HeldChecker.self)
    }

    @Test func suppliedSeesAGapThatSomebodyCouldFill() throws {
        var scene = try Scene()
        for place in 0..<3 { scene.leaveOut(1..<3, at: place) }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "nobody has it")
        scene = try Scene()
        scene.leaveOut(1..<3, at: 0)
        scene.leaveOut(2..<3, at: 1)
        scene.leaveOut(1..<2, at: 2)
        let names = SuppliedChecker.look(at: scene.aftermath)
        #expect(names.count == 2, "who has a part of it fills nothing: \(names)")
        scene = try Scene()
        scene.leaveOut(1..<3, at: 1)
        scene.expect(SuppliedChecker.self)
        for place in [0, 2] { scene.aftermath.sites[place].items = [:] }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "others hold another history")
    }

    @Test func suppliedSeesABodyThatSomebodyHas() throws {
        var scene = try Scene()
        let place = BodyPlace(log: scene.log, sequence: 2)
        scene.aftermath.sites[1].missingBodies = [place]
        scene.expect(SuppliedChecker.self)
        for number in [0, 2] {
            scene.aftermath.sites[number].entries[scene.log]?[2] = Entry(withheld: scene.entries[2].header)
        }
        #expect(SuppliedChecker.look(at: scene.aftermath) == [], "nobody has it")
    }

    @Test func foldSeesAnotherFeedAndTwoFoldsOfTheSame() throws {
        var scene = try Scene()
        scene.aftermath.sites[1].shown = .init(feed: [], posts: [:], following: [:])
        scene.expect(FoldChecker.self)
        scene = try Scene()
        scene.aftermath.sites[2].entries[scene.log]?.removeLast()
        scene.expect(FoldChecker.self)
    }

    @Test func foldComparesWhatIsWholeBesideWhatIsNot() throws {
        var scene = try Scene()
        let (log, other) = try scene.addStranger()
        // A node lacks a part of one log, and another holds something else of the other.
        scene.leaveOut(1..<3, at: 0)
        scene.aftermath.sites[2].fingerprint = nil
        #expect(FoldChecker.look(at: scene.aftermath) == [], "a gap is none of its business")
        scene.aftermath.sites[2].entries[log]?[0] = other
        scene.expect(FoldChecker.self)
        scene.aftermath.sites[2].missingBodies = [BodyPlace(log: log, sequence: 0)]
        #expect(FoldChecker.look(at: scene.aftermath) == [], "a body is missing there")
    }

    @Test func forkedLogSeesTwoFolds() throws {
        var scene = try Scene()
        let (log, other) = try scene.addStranger()
        scene.aftermath.ledger.forked.insert(log)
        // Whatever else is missing.
        for place in 0..<3 { scene.leaveOut(1..<3, at: place) }
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].entries[log]?[0] = other
        scene.expect(ForkedLogChecker.self)
    }

    @Test func forkedLogSeesThatItIsAskedForAgain() throws {
        var scene = try Scene()
        scene.aftermath.ledger.forked.insert(scene.log)
        let want = RangeWant(log: scene.log, from: 2, certificate: .known)
        scene.aftermath.sites[1].quiet.asked.count(.readRanges(RequestID(raw: 1), [want], byteLimit: 1))
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [], "nobody knows yet that it forked")
        for place in 0..<3 {
            scene.aftermath.sites[place].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
            scene.aftermath.sites[place].entries[scene.log]?.removeLast(2)
        }
        scene.expect(ForkedLogChecker.self)
        scene.aftermath.sites[1].quiet.asked = AskedLogs()
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        let place = BodyPlace(log: scene.log, sequence: 1)
        scene.aftermath.sites[1].quiet.asked.count(.readBodies(RequestID(raw: 2), [place], byteLimit: 1))
        scene.expect(ForkedLogChecker.self)
        scene.aftermath.sites[2].missingBodies = [place]
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [], "somebody lacks that body")
    }

    @Test func forkedLogSeesTwoItems() throws {
        var scene = try Scene()
        scene.aftermath.ledger.forked.insert(scene.log)
        #expect(ForkedLogChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[0].items[scene.log] = FrontierItem(log: scene.log, size: 2, root: .zero, cut: 2)
        scene.expect(ForkedLogChecker.self)
    }

    @Test func erasureSeesWordsThatWereDeleted() throws {
        var scene = try Scene()
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

    @Test func healingSeesANetworkThatAgreesLateOrNever() {
        #expect(Finding.late(1_000, bound: 1_000) == [])
        #expect(Finding.late(1_001, bound: 1_000).count == 1)
        #expect(Finding.late(nil, bound: 1_000).count == 1)
    }

    @Test func limitsSeesAQueueThatIsTooLong() throws {
        var scene = try Scene()
        #expect(LimitsChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[1].peakLoad[.queuedBytes] = 1 << 30
        scene.expect(LimitsChecker.self)
        for kind in NodeLoad.Kind.allCases {
            var load = NodeLoad()
            let bound = UInt64(kind.bound(NodeBounds()))
            load[kind] = bound
            #expect(load.exceeded(NodeBounds()) == [])
            load[kind] = bound + 1
            #expect(load.exceeded(NodeBounds()) == ["\(kind): \(bound + 1) > \(bound)"])
        }
    }

    @Test func violationSeesHonestNodesThatPart() throws {
        var scene = try Scene()
        let liar = NodeID(raw: Author.bytes(9, "liar"))
        scene.aftermath.violations = [ReportedViolation(by: 0, of: liar, address: nil, violation: "badProof")]
        #expect(ViolationChecker.look(at: scene.aftermath) == [])
        scene.aftermath.violations = [
            ReportedViolation(by: 0, of: scene.aftermath.sites[1].node, address: nil, violation: "badProof")
        ]
        scene.expect(ViolationChecker.self)
    }

    @Test func quietSeesWhoTalksOn() throws {
        var options = TrialOptions(seed: 2)
        options.nodes = 2
        options.hours = 0.1
        options.faults = []
        let trial = try Trial(options)
        _ = try trial.run()
        var scene = try Scene()
        // All that was said, the meeting too.
        scene.aftermath.sites[0].quiet.spoken = trial.sites[0].spoken
        scene.expect(QuietChecker.self)
    }

    @Test func quietSeesWhatIsOnTheWireWhateverNodesSay() throws {
        var scene = try Scene()
        var hour = QuietHour()
        hour.milliseconds = 3_600_000
        hour.sessions = 3
        hour.wire.pieces = 3 * 120
        hour.wire.bytes = 3 * 120 * 60
        func look(_ change: (inout QuietHour) -> Void) -> [String] {
            var changed = hour
            change(&changed)
            scene.aftermath.sites[1].quiet = changed
            return QuietChecker.look(at: scene.aftermath)
        }
        #expect(look { _ in } == [], "keep-alives")
        #expect(look { $0.wire.pieces *= 2 }.count == 1)
        #expect(look { $0.wire.bytes *= 2 }.count == 1)
        #expect(look { $0.wire.opened = 1 }.count == 1)
        #expect(look { $0.wire.closed = 1 }.count == 1)
        #expect(look { $0.wire.dials = 1 }.count == 1, "nobody answered")
        #expect(look { $0.sessions = 1 }.count == 2, "so much for one connection")
    }

    @Test func quietAllowsQuestionsForWhatIsLackedOnly() throws {
        let want = try Self.spoken(.want([]), times: 10)
        let answer = try Self.spoken(.chunks([], lacking: [], number: nil), times: 10)
        var scene = try Scene()
        scene.aftermath.hadLiars = true
        scene.aftermath.sites[0].quiet.spoken = want
        scene.aftermath.sites[1].quiet.spoken = answer
        #expect(QuietChecker.look(at: scene.aftermath).count == 2, "nobody lacks anything")
        scene.aftermath.sites[0].wantedLogs = 1
        #expect(QuietChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].quiet.spoken = want
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "another's lack is no reason to ask")
        scene.aftermath.sites[2].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[0].quiet.spoken.add(answer)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "nor the own one to answer")
    }

    @Test func quietAllowsQuestionsAboutPeersEveryHalfHour() throws {
        var question = SpokenMessages()
        question.count(Frame(type: 13, body: []))
        var answer = SpokenMessages()
        answer.count(Frame(type: 14, body: []))
        var scene = try Scene()
        for place in 0..<3 { scene.aftermath.sites[place].quiet.milliseconds = 3_600_000 }
        for _ in 0..<3 { scene.aftermath.sites[0].quiet.spoken.add(question) }
        for _ in 0..<3 { scene.aftermath.sites[1].quiet.spoken.add(answer) }
        #expect(QuietChecker.look(at: scene.aftermath) == [])
        scene.aftermath.sites[2].quiet.spoken = answer
        #expect(QuietChecker.look(at: scene.aftermath) == [], "the answers of all together are not counted")
        scene.aftermath.sites[1].quiet.spoken.add(answer)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "nobody asked so often")
        scene.aftermath.sites[1].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[0].quiet.spoken.add(question)
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "four times an hour is too often")
        scene.aftermath.sites[1].quiet.spoken = question
        scene.aftermath.sites[1].quiet.spoken.add(answer)
        scene.aftermath.sites[0].quiet.spoken = SpokenMessages()
        scene.aftermath.sites[2].quiet.spoken = SpokenMessages()
        #expect(QuietChecker.look(at: scene.aftermath).count == 1, "its own question is not answered by itself")
    }

    private static func spoken(_ words: Utterance, times: Int) throws -> SpokenMessages {
        var spoken = SpokenMessages()
        for _ in 0..<times { spoken.count(words.frame) }
        return spoken
    }
}
