internal import Entries
internal import Logging
internal import Storage
internal import Sync

extension Node {
    func tell(_ report: NodeReport) {
        note(report)
        if case .dialFailed(let address, let failure, _) = report, machine.isListed(address) {
            let now = SystemClock.monotonicMilliseconds
            switch strangerLines.failedCalls.line(for: failure, at: address, now: now) {
            case .whole: break
            case .sum(let calls, let addresses):
                log.notice("\(LogLine.failed(calls: calls, addresses: addresses))")
                return
            case .leftOut: return
            }
        }
        guard let leftOut = linesLeftOut(before: report) else { return }
        let line = LogLine(report)
        let rest = leftOut == 0 ? "" : ", and \(leftOut) more of that host"
        // Anybody may tell any number of addresses; to those that a person listed, that person can do something.
        let level = isOfLearnedAddress(report) ? min(line.level, .info) : line.level
        log.log(level: level, "\(line.text)\(rest)")
    }

    /// Whether it tells of a call to an address that peers or a search taught, and that came to nothing.
    private func isOfLearnedAddress(_ report: NodeReport) -> Bool {
        switch report {
        case .dialFailed(let address, _, _), .unanswered(let address), .violation(nil, let address?, .handshake, _):
            !machine.isListed(address)
        case .connected, .lost, .violation, .wrongNode, .pinned, .connectedToSelf, .noCommonVersion, .refused,
            .caughtUp, .branchOfPeer, .ownLogSetAside, .forked, .logLeftOut, .ownLogIsLonger, .ownLogEnded:
            false
        }
    }

    /// How many lines were left out before that of this report; nil: it is left out too. Of listed peers none is.
    private func linesLeftOut(before report: NodeReport) -> Int? {
        let caller: (kind: StrangerLines.Kind, node: NodeID, address: PeerAddress)
        switch report {
        case .connected(let node, let address?, _): caller = (.connected, node, address)
        case .lost(let node, let address?, _): caller = (.lost, node, address)
        case .connected, .lost, .dialFailed, .unanswered, .violation, .wrongNode, .pinned, .connectedToSelf,
            .noCommonVersion, .refused, .caughtUp, .branchOfPeer, .ownLogSetAside, .forked, .logLeftOut,
            .ownLogIsLonger, .ownLogEnded:
            return 0
        }
        guard !machine.isListed(caller.node), !machine.isListed(caller.address) else { return 0 }
        return strangerLines.leftOut(
            before: caller.kind,
            of: HostNetwork(caller.address.host),
            now: SystemClock.monotonicMilliseconds
        )
    }

    /// Keeps which addresses take calls and do not answer, for the status: to the machine such a call has just ended.
    private func note(_ report: NodeReport) {
        switch report {
        case .unanswered(let address):
            // Those that are not known any more go.
            unanswered.formIntersection(machine.status.targets.map(\.target.address))
            unanswered.insert(address)
        case .connected(_, let address?, _):
            unanswered.remove(address)
            strangerLines.failedCalls.answered(address)
        case .dialFailed(let address, _, _), .wrongNode(let address, _, _),
            .violation(_, let address?, _, _), .refused(_, let address?, _, _), .connectedToSelf(let address):
            unanswered.remove(address)
        case .connected, .lost, .violation, .pinned, .noCommonVersion, .refused, .caughtUp, .branchOfPeer, .forked,
            .logLeftOut, .ownLogIsLonger, .ownLogSetAside, .ownLogEnded:
            break
        }
    }

    /// Logs a storage failure once, until a transaction succeeds.
    func tell(_ error: StorageError) {
        guard toldFailure != error else { return }
        toldFailure = error
        log.error("\(error)")
    }

    static func tell(_ outcome: BudgetOutcome, _ log: Logger) {
        switch outcome {
        case .kept: break
        case .fileStays(let bytes, let obstacle):
            let megabytes = (bytes + 500_000) / 1_000_000
            log.warning("the database's file stays as large as it is, \(megabytes) MB: \(obstacle)")
        }
    }

    /// Logs that fewer files may be open than a node with all its connections has.
    static func tell(_ files: Int, of wanted: Int, _ log: Logger) {
        guard files < wanted else { return }
        log.warning("\(files) files may be open at once, all connections take \(wanted): callers may wait; ulimit -n")
    }

    static func tell(_ line: PeersFile.BadLine, in home: Home, _ log: Logger) {
        log.warning("\(home.layout.peers), line \(line.number): \(line.reason); the other lines are used")
    }
}
