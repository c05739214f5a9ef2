internal import Storage
internal import Sync

/// Reports of nodes and errors of stores; the unexpected ones are findings.
extension Trial {
    func heard(_ report: NodeReport, at site: Site) {
        trace.note(now, site.number, "report", 0, Array("\(report)".utf8))
        switch report {
        case .violation(let node, let address, let violation, _):
            if let host = address?.host { lies.drop(host) }
            violations.append(
                ReportedViolation(by: site.number, of: node, address: address, violation: "\(violation)")
            )
        case .ownLogEnded(.settled) where isOver(site), .ownLogEnded(.accountEnded) where isOver(site): break
        case .ownLogIsLonger, .ownLogEnded:
            if !restored.contains(site.number) {
                findings.append(Finding("stop", "node \(site.number) stopped signing without a reason: \(report)"))
            }
        case .logLeftOut(let log):
            guard log != site.home.damaged else {
                leftOut += 1
                return
            }
            findings.append(Finding("store", "node \(site.number) cannot read log \(log)"))
        case .wrongNode, .connectedToSelf, .noCommonVersion:
            findings.append(Finding("peers", "node \(site.number): \(report)"))
        case .connected, .lost, .dialFailed, .unanswered, .pinned, .refused, .caughtUp, .branchOfPeer, .forked,
            .ownLogSetAside:
            break
        }
    }

    /// Records an error of a store.
    func noteStorage(_ error: any Error, at site: Site) {
        storageWords["\(error)", default: 0] += 1
        if !isForgiven(error, at: site) {
            findings.append(Finding("store", "node \(site.number) at \(now): \(error)"))
        }
    }

    /// Whether an error is expected: the disk is full, the home was restored, the log or the account ended.
    private func isForgiven(_ error: any Error, at site: Site) -> Bool {
        switch error {
        case StorageError.diskFull, AppendError.storage(.diskFull), LightStoreError.full: site.room == .exhausted
        case AppendError.refused(let refusal): isForgiven(refusal, at: site)
        // Whatever else a store may throw.
        default: false
        }
    }

    private func isForgiven(_ refusal: AppendRefusal, at site: Site) -> Bool {
        switch refusal {
        case .signingStopped: restored.contains(site.number) || isOver(site)
        case .logForked: restored.contains(site.number)
        case .logSettled, .accountEnded: isOver(site)
        // The post was deleted after the person chose it.
        case .deletedPost: true
        case .noOwnLog, .locked, .wrongKey, .notCarried, .payloadTooLong, .unknownPost, .notOwnPost, .logFull: false
        }
    }
}
