import Transport

/// Texts about what a node carries, and why a peer refuses it.
enum CarryTerms {
    /// The people that the node carries; nil: everybody.
    static func carries(_ report: StatusReport) -> SafeText? {
        guard let count = report.carriedPeople else { return nil }
        let people: SafeText = "the logs of \(Amount.of(count, "person", "people"))"
        guard let leftOut = report.leftOutPeople, leftOut > 0 else { return people }
        return "\(people); \(leftOut) more do not fit: scurry config carry everything"
    }

    /// Why a peer refuses this node; nil: it does not.
    static func refusal(_ target: StatusReport.Target) -> SafeText? {
        switch target.refusal {
        case nil: nil
        case .version: "refused: no common version of the protocol; upgrade the older scurry"
        case .scope:
            "refused: one of you carries some people only, and the other's scurry knows nothing of that; upgrade that one, "
                + "or scurry config carry everything"
        case .full: "refused: it has as many connections as it takes, or leaves this node alone for a time"
        case .twin:
            "another node with this node's key is connected there: a copy of this home runs; end one of the two, then scurry sync"
        }
    }

    /// Logs that a quota delays, and logs of which more was offered than any connected peer has; nil: none.
    static func waiting(_ report: StatusReport) -> SafeText? {
        var parts: [String] = []
        if let logs = report.delayedLogs, logs > 0 {
            parts.append("\(Amount.of(logs, "log", "logs").string) of people who wrote very much at once come later")
        }
        if let logs = report.unsuppliedLogs, logs > 0 {
            let named: SafeText = "somebody named more of \(Amount.of(logs, "log", "logs"))"
            parts.append("\(named.string) than anybody connected has")
        }
        return parts.isEmpty ? nil : "\(parts.joined(separator: "; "))"
    }

    /// What a peer does not share with this node, with a comma before it; empty: nothing.
    static func share(_ peer: StatusReport.Peer) -> SafeText {
        var text: SafeText = ""
        if let common = peer.commonPeople {
            text =
                common == 0
                ? ", you carry nobody in common" : ", of \(Amount.of(common, "person", "people")) whom both carry"
        }
        if peer.carriesOwn == false { text = "\(text), does not carry your posts" }
        if let lacked = peer.lackedLogs, lacked > 0 {
            text = "\(text), did not have \(Amount.of(lacked, "log", "logs")) that it offered"
        }
        return text
    }
}

extension StatusReport {
    /// Whether a node is connected, whichever of the two called.
    func isConnected(_ target: Target) -> Bool { peers.contains { $0.node == target.node } }

    /// Whether another node with this one's key has this node's place at a peer.
    func isTaken(_ target: Target) -> Bool {
        target.refusal == .twin && target.state == .waiting && !isConnected(target)
    }
}
