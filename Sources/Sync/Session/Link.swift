import Entries
import Sodium

/// The protocol state of a connection on which both sides have said Hello.
struct Link {
    let session: SessionID
    let node: NodeID
    /// Whether a person listed the peer here.
    var isListed = false
    let role: Role
    /// The peer's Hello.
    @Boxed private(set) var hello: Hello
    /// The protocol version in use: the highest that both speak.
    let version: UInt32
    /// The common scope (`protocol/sync.md` §3): nothing is said of logs outside it.
    @Boxed private(set) var common: CommonScope

    /// The common scope of the two sides of a connection.
    struct CommonScope {
        let scope: Scope
        /// The part of the frontier within the scope; nil: all of it.
        let part: PartID?
        let digest: Bytes32?
    }

    /// Whether windows are in use, so that a log's newest entries may come first (`protocol/sync.md` §3).
    let windows: Windows

    enum Windows: Hashable {
        case spoken
        case unspoken
    }

    enum Role: Hashable {
        case dialler
        case listener
    }

    /// Logs asked of this peer without `newest`, since it left out too much of them before.
    var inWhole: Set<LogID> = []

    /// Whether new entries are pushed or named, in both directions (`protocol/sync.md` §6); nil: branches are not in
    /// use, and entries are pushed.
    var branching: Branching?
    /// When the gathered names are sent; nil: nothing is gathered, or the link is a branch.
    var namesAt: UInt64?

    var announcer: Announcer
    /// Chunks that the store read for a returning peer; sent within the same event.
    var resumed: [LogID: UnverifiedChunk] = [:]
    /// The log sizes that the peer is known to hold.
    var known = PeerSizes()
    /// The last change number sent to the peer with an announcement.
    var told: UInt64 = 0
    /// The peer's last statement on each log that has a settlement or fork evidence.
    var heardMarks: [LogID: LogMark] = [:]
    /// Hash of the last statement made to the peer on each of these logs, by the log's number in the frontier: all of
    /// them are stated, and a hash takes less room.
    ///
    /// Swift seeds the hash for each process. That is harmless: only its equality within this process matters, and it
    /// is neither stored nor sent.
    var toldMarks: [UInt32: Int] = [:]

    // MARK: Receiving

    @Boxed var milestones = Milestones()
    /// Number of the cursor held of the peer's present store at its Hello; 0: none.
    let knownNumber: UInt64
    /// Number of the peer's cursor that was last handed to the store.
    var savedNumber: UInt64
    /// Logs that this peer may be asked for.
    @Boxed var asking = Asking()
    /// Offers of this peer that are not fulfilled yet.
    var offersOpen = 0
    /// How often this peer lacked a log that it had offered.
    var lackedLogs = 0
    /// Chunks and bodies from this peer that are not yet stored or refused.
    var arriving = 0
    /// When the last answer came, or when none was last owed.
    var progressAt: UInt64
    /// Open disputes: logs whose history is being compared with the peer's.
    var disputes: [LogID: Dispute] = [:]
    /// Logs in dispute that wait until another dispute ends.
    var postponed = Postponed()
    /// Logs not asked of this peer: it holds another branch, and comparing again would bring nothing.
    var apart: Set<LogID> = []
    /// Logs of which the peer showed another history than entries that wait to be stored, with the end up to which to
    /// compare once they are.
    var undecided: [LogID: UInt64] = [:]
    /// What the peer was asked for to replace the entries behind a log's gap.
    var substitutes: [LogID: Substitute.Progress] = [:]
    /// Gaps of which the peer has proven the first entries, under a head that ends there: where they start.
    var shownBeginnings: [LogID: UInt64] = [:]
    /// How often each log was compared with the peer since the last news of it.
    var disputeCounts: [LogID: Int] = [:]
    var ownLog: OwnLogQuestion
    /// Credit that the peer has left, and credit to give back.
    var grantedCredit: GrantedCredit

    enum OwnLogQuestion: Hashable {
        case none
        /// Only at the beginning: an answer of the store that is still to come would be taken for a later state's.
        case asked
        /// The store is reading the own root at the size that the peer answered with.
        case checking(OwnLogAnswer)
        /// The peer claims more than is held; the store is reading the compact range of [0, `from`).
        case preparing(from: UInt64, OwnLogAnswer)
        /// The peer was asked for the chunk that follows this range (`protocol/own-log.md` §3).
        case proving(LogRange, OwnLogAnswer)
        /// The peer lacks that chunk, and was asked for the compact range of what it claims, with the head.
        case showing(OwnLogAnswer)
        /// The answer is being checked; `size` is that of its head.
        case weighing(OwnLogAnswer, size: UInt64)
        /// The store is reading the own root at the end of the entries that the peer showed.
        case comparing(OwnLogAnswer)
        case answered

        var isOpen: Bool {
            switch self {
            case .none, .answered: false
            case .asked, .checking, .preparing, .proving, .showing, .weighing, .comparing: true
            }
        }

        /// Whether the question is dropped when signing stops, since nothing is left to prove. `asked` and `showing`
        /// are not: an OwnLog or Prefix that nobody awaits would be a violation.
        var isMoot: Bool {
            switch self {
            case .none, .answered, .asked, .showing: false
            case .checking, .preparing, .proving, .weighing, .comparing: true
            }
        }

        /// The peer owes an answer.
        var isOwed: Bool {
            switch self {
            case .asked, .proving, .showing: true
            case .none, .checking, .preparing, .weighing, .comparing, .answered: false
            }
        }
    }

    // MARK: Sending

    @Boxed var serving = Serving()

    // MARK: Quiet and comparison

    var calm: Calm
    @Boxed var comparison = Comparison()
    /// Whether a reconciliation is owed (`protocol/sync.md` §13): changes of either side up to some number were not
    /// announced, and no number is sent before a run has found them.
    var owesReconciliation = false
    @Boxed var asker = ReconcileAsker()
    @Boxed var answerer = ReconcileAnswerer()
    /// The peer's last KeepAlive, whatever has passed since.
    var lastWord: KeepAlive?
    /// When the fingerprints were found equal, or a reconciliation ended.
    var comparedAt: UInt64
    /// When the peer was last asked for addresses.
    var peersAskedAt: UInt64?
    /// Whether its answer is still to come: it is not asked again before.
    var awaitsPeers = false
    var peersAnsweredAt: UInt64?

    init(
        session: SessionID,
        node: NodeID,
        role: Role,
        hello: Hello,
        version: UInt32,
        windows: Windows,
        branching: Branching?,
        common: CommonScope,
        announcer: Announcer,
        savedNumber: UInt64,
        ownLog: OwnLogQuestion,
        credit: UInt64,
        now: UInt64
    ) {
        self.session = session
        self.node = node
        self.role = role
        self.hello = hello
        self.version = version
        self.windows = windows
        self.branching = branching
        self.common = common
        self.announcer = announcer
        knownNumber = savedNumber
        self.savedNumber = savedNumber
        self.ownLog = ownLog
        grantedCredit = GrantedCredit(credit)
        progressAt = now
        comparedAt = now
        calm = Calm(now: now)
        serving.credit = min(hello.credit, Limits.maximumCreditBytes)
    }
}

extension Link {
    /// The part of the frontier that is announced and compared; nil: all of it.
    var part: PartID? { common.part }
    var canReconcile: Bool { version >= MessageType.reconcile.version }
    var isReconciling: Bool { owesReconciliation || !asker.isIdle || !answerer.isIdle }
    /// Whether the peer understands settlements and fork evidence.
    var speaksOfForks: Bool { version >= MessageType.nodes.version }

    /// Whether the peer's cursor has advanced beyond the one that the store was last handed.
    var hasNewCursor: Bool { milestones.reached ?? 0 > savedNumber }

    /// Whether the peer resumes from a known cursor and has not announced yet all that it had at its Hello: its pushes
    /// are not new entries then (`protocol/sync.md` §4).
    var isBringingWhatWas: Bool { knownNumber > 0 && max(knownNumber, milestones.announced) < hello.number }

    /// Whether nothing is under way that the link itself knows of; `number` is the frontier's.
    func isQuiet(at number: UInt64) -> Bool {
        announcer.hasReached(number) && isSettled && !comparison.pages.isRunning && !comparison.answers.isAsked
            && !isReconciling && !ownLog.isOpen
    }

    /// Whether no offer, arrival, question to answer, dispute or substitute is open on the link.
    var isSettled: Bool {
        offersOpen == 0 && arriving == 0 && asking.isEmpty && serving.isIdle && disputes.isEmpty && postponed.isEmpty
            && substitutes.isEmpty
    }

    /// Whether the peer owes an answer about histories, frontiers or the own log.
    // Inlined, as the next one: a call would get a copy of the whole link.
    @inline(__always) var isOwed: Bool {
        comparison.pages.isRunning || !substitutes.isEmpty || (asker.isAsking && !asker.awaitsOpening) || ownLog.isOwed
            || disputes.values.contains(where: \.isOwed)
    }

    /// Whether a reconciliation may have work to do: one is under way, owed, or overdue.
    @inline(__always) func mayReconcile(at time: UInt64) -> Bool {
        guard canReconcile else { return false }
        return isReconciling || !answerer.untold.isEmpty
            || (role == .dialler && time >= comparedAt + Limits.comparisonMaximumMilliseconds)
    }

    /// Keeps a peer's statement on a settled or forked log; false: the bound is reached, and new logs are not kept.
    mutating func remember(_ mark: LogMark) -> Bool {
        guard heardMarks.count < Limits.heardMarksCount || heardMarks[mark.item.log] != nil else { return false }
        heardMarks[mark.item.log] = mark
        return true
    }

    /// The next page of logs to announce, without the `withheld` one.
    mutating func nextPage(_ frontier: Frontier, _ standings: Standings, withheld: UInt32?) -> Announcer.Page {
        let isTold = isTold(frontier, standings, withheld: withheld)
        return announcer.next(frontier, in: part, skip: isTold)
    }

    /// Tells which logs are left out of the announcements.
    func isTold(_ frontier: Frontier, _ standings: Standings, withheld: UInt32?) -> (UInt32) -> Bool {
        let source = frontier.peerNumber(node)
        let isStranger = announcer.isForStranger
        let understandsMarks = speaksOfForks
        return { [part, known, heardMarks, toldMarks] log in
            if log == withheld || !frontier.holds(log, in: part) { return true }
            if !standings.isEmpty, let mark = standings.mark(of: log, in: frontier) {
                // Of such a log the root, settlement and cut have to be known to the peer as well, not the size alone.
                guard understandsMarks else { return known.size(log) >= mark.item.size }
                return heardMarks[mark.item.log] == mark || toldMarks[log] == mark.hashValue
            }
            return (!isStranger && frontier.isFrom(source, log)) || known.size(log) >= frontier.size(log)
        }
    }
}

extension Link {
    /// The chunk read for a returning peer, if it reaches the size held now.
    func resumption(of item: LogSize) -> [UnverifiedChunk]? {
        guard let chunk = resumed[item.log], chunk.size == item.size, chunk.start + chunk.count == chunk.size else {
            return nil
        }
        return [chunk]
    }
}
