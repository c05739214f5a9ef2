import Entries
import Sodium

/// What two nodes that have said Hello are doing with each other.
struct Link {
    let session: SessionID
    let node: NodeID
    /// A person named it here.
    var isListed = false
    let role: Role
    /// The peer's.
    @Boxed private(set) var hello: Hello
    /// Of the protocol, that both speak.
    let version: UInt32
    /// What both carry: only of these logs is anything said.
    @Boxed private(set) var common: CommonScope

    /// The common scope of the two sides of a connection.
    struct CommonScope {
        let scope: Scope
        /// Of the frontier; nil: all of it.
        let part: PartID?
        let digest: Bytes32?
    }

    /// Whether both know that the newest entries of a log may come first (`protocol/sync.md §3`).
    let windows: Windows

    enum Windows: Hashable {
        case spoken
        case unspoken
    }

    enum Role: Hashable {
        case dialler
        case listener
    }

    /// Logs of which this peer left out too much: they are asked of it in whole.
    var inWhole: Set<LogID> = []

    /// Whether new entries are pushed or named, in both directions (`protocol/sync.md §6`); nil: branches are not in use, and
    /// they are pushed.
    var branching: Branching?
    /// When what was gathered is named; nil: nothing was, or the link is a branch.
    var namesAt: UInt64?

    var announcer: Announcer
    /// What the store has read for who came back, until it is told in the same event.
    var resumed: [LogID: UnverifiedChunk] = [:]
    /// What the peer is known to have.
    var known = PeerSizes()
    /// The last number that the peer was told in words.
    var told: UInt64 = 0
    /// What the peer last said of logs that have a settlement or fork evidence.
    var heardMarks: [LogID: LogMark] = [:]
    /// What it was last told of them: a hash of each, by the log's number in the frontier, since all of them are.
    var toldMarks: [UInt32: Int] = [:]

    // MARK: What comes

    @Boxed var milestones = Milestones()
    /// How far this side had come with the peer's present store at its Hello; 0: that is not known.
    let knownNumber: UInt64
    /// The last number that was handed to the store.
    var savedNumber: UInt64
    /// Logs that this peer may be asked for.
    @Boxed var asking = Asking()
    /// Offers of this peer that are not fulfilled.
    var offersOpen = 0
    /// Logs that it offered and then did not have.
    var lackedLogs = 0
    /// Chunks and bodies from this peer that are not yet stored or refused.
    var arriving = 0
    /// The last time that an answer came, or that there was none to wait for.
    var progressAt: UInt64
    /// Logs whose history here is compared with the peer's.
    var disputes: [LogID: Dispute] = [:]
    /// Logs that are in dispute too, and compared when another dispute has ended.
    var postponed = Postponed()
    /// Logs that are not asked of this peer: it has another branch, and nothing more comes of comparing it.
    var apart: Set<LogID> = []
    /// Logs of which the peer showed another history than one that waits to be stored, and up to where they are to be compared.
    var undecided: [LogID: UInt64] = [:]
    /// What the peer was asked to show before what lies behind a log's gap gives way to it.
    var substitutes: [LogID: Substitute.Progress] = [:]
    /// How often each log was compared, since something was learned of it.
    var disputeCounts: [LogID: Int] = [:]
    var ownLog: OwnLogQuestion
    /// What the peer may still send, and what of it is to be given back.
    var allowance: Allowance

    /// The store's question, by whose answer the peer's Hello is answered that names the log written here.
    var ownLogShowing: (request: RequestID, end: UInt64)?

    enum OwnLogQuestion: Hashable {
        case none
        case asked
        /// The store is asked for the root of the own log at the peer's size.
        case checking(RequestID, OwnLogAnswer)
        /// The peer claims this much that is not here; the store is asked for the range before it.
        case preparing(RequestID, from: UInt64, OwnLogAnswer)
        /// The peer is to show what follows this range.
        case proving(LogRange, OwnLogAnswer)
        /// It lacks that; it is to show at least its range of what it claims, and the head.
        case showing(OwnLogAnswer)
        /// That is checked; the size of the head.
        case weighing(RequestID, OwnLogAnswer, size: UInt64)
        /// The store is asked for the root at the end of what the peer showed.
        case comparing(RequestID, OwnLogAnswer)
        case answered

        var isOpen: Bool {
            switch self {
            case .none, .answered: false
            case .asked, .checking, .preparing, .proving, .showing, .weighing, .comparing: true
            }
        }

        /// Where nothing more is signed, nothing is to be shown any more. What answers a question of these is awaited all the same.
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

    // MARK: What goes

    @Boxed var serving = Serving()

    // MARK: Peace

    var calm: Calm
    @Boxed var comparison = Comparison()
    /// What this side or the other changed up to some number has not been told: a reconciliation is to find it, and no
    /// number is said before it has.
    var owesReconciliation = false
    @Boxed var asker = ReconcileAsker()
    @Boxed var answerer = ReconcileAnswerer()
    /// The peer's last word, whatever has passed since.
    var lastWord: KeepAlive?
    /// When the fingerprints were found equal, or a reconciliation ended.
    var comparedAt: UInt64
    var peersAskedAt: UInt64?
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
        allowance = Allowance(credit)
        progressAt = now
        comparedAt = now
        calm = Calm(now: now)
        serving.credit = min(hello.credit, Limits.maximumCreditBytes)
    }
}

extension Link {
    /// What is compared and spoken of; nil: everything.
    var part: PartID? { common.part }
    var canReconcile: Bool { version >= MessageType.reconcile.version }
    var isReconciling: Bool { owesReconciliation || !asker.isIdle || !answerer.isIdle }
    /// Settlements and fork evidence are understood.
    var speaksOfForks: Bool { version >= MessageType.nodes.version }

    /// The peer has told more than the store knows that it told.
    var hasNewCursor: Bool { milestones.reached ?? 0 > savedNumber }

    /// The peer knows how far this side had come, and has not told yet all that it had at its Hello: what it pushes was there
    /// before (`protocol/sync.md §4`).
    var isBringingWhatWas: Bool { knownNumber > 0 && max(knownNumber, milestones.announced) < hello.number }

    /// Nothing is under way, as far as the link knows by itself; `number` is the frontier's.
    func isQuiet(at number: UInt64) -> Bool {
        announcer.hasReached(number) && isSettled && !comparison.isRunning && !comparison.isAsked && !isReconciling
            && !ownLog.isOpen
    }

    /// What was found so far is here, and there as far as this side is asked.
    var isSettled: Bool {
        offersOpen == 0 && arriving == 0 && asking.isEmpty && serving.isIdle && disputes.isEmpty && postponed.isEmpty
            && substitutes.isEmpty
    }

    /// The peer owes an answer about histories, frontiers or the own log.
    var isOwed: Bool {
        comparison.isRunning || !substitutes.isEmpty || (asker.isAsking && !asker.awaitsOpening) || ownLog.isOwed
            || disputes.values.contains(where: \.isOwed)
    }

    /// There may be something to do for a reconciliation: one is under way or owed, or was not for too long.
    func mayReconcile(at time: UInt64) -> Bool {
        guard canReconcile else { return false }
        return isReconciling || !answerer.untold.isEmpty
            || (role == .dialler && time >= comparedAt + Limits.comparisonMaximumMilliseconds)
    }

    /// Keeps what the peer says of a log that is settled or forked; of too many only the first.
    mutating func remember(_ mark: LogMark) {
        guard heardMarks.count < Limits.heardMarksCount || heardMarks[mark.item.log] != nil else { return }
        heardMarks[mark.item.log] = mark
    }

    /// The next page of what the peer has not been told; `withheld` is nobody's to know.
    mutating func nextPage(_ frontier: Frontier, _ standings: Standings, withheld: UInt32?) -> Announcer.Page {
        let isTold = isTold(frontier, standings, withheld: withheld)
        return announcer.next(frontier, in: part, skip: isTold)
    }

    /// Whether a log is left out of what the peer is told.
    func isTold(_ frontier: Frontier, _ standings: Standings, withheld: UInt32?) -> (UInt32) -> Bool {
        let source = frontier.peerNumber(node)
        let isStranger = announcer.isForStranger
        let understandsMarks = speaksOfForks
        return { [part, known, heardMarks, toldMarks] log in
            if log == withheld || !frontier.holds(log, in: part) { return true }
            if !standings.isEmpty, let mark = standings.mark(of: log, in: frontier) {
                // Of a log with a settlement or fork evidence not the size alone is told.
                guard understandsMarks else { return known.size(log) >= mark.item.size }
                return heardMarks[mark.item.log] == mark || toldMarks[log] == mark.hashValue
            }
            return (!isStranger && frontier.isFrom(source, log)) || known.size(log) >= frontier.size(log)
        }
    }
}

extension Link {
    /// What was read for the peer that came back, if it brings it to what is held of the log now.
    func resumption(of item: LogSize) -> [UnverifiedChunk]? {
        guard let chunk = resumed[item.log], chunk.size == item.size, chunk.start + chunk.count == chunk.size else {
            return nil
        }
        return [chunk]
    }
}

extension Standings {
    /// What is told of a log that has a settlement or fork evidence; nil of any other.
    func mark(of log: UInt32, in frontier: Frontier) -> LogMark? {
        self[frontier.id(log)].map { known in
            LogMark(
                item: frontier.item(log),
                root: frontier.root(log),
                settlement: known.settlement,
                cut: known.cut
            )
        }
    }
}
