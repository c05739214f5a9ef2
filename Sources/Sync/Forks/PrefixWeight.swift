package import Entries
package import Sodium

/// What a peer's history of a log is beside the one that is stored here.
package enum PrefixWeight: Hashable, Sendable {
    /// Neither did the device sign it, nor does it end in a root that is known.
    case lie
    /// It is said to end in a known root, of a size that is not known here, or where another one is known: the two nodes may
    /// have heard of different settlements or forks so far.
    case unknownRoot
    /// So much is not stored here (any more).
    case absent
    /// So much is not stored here (any more), and yet it is proven.
    case beyond(ForkFinding.Proof)
    case compared(Descent?, Descent.Step)

    /// Checks what a peer showed, a signature among it, so not on an event loop; `known` and `ours` are of the store.
    package init(_ theirs: PrefixProof, of log: LogID, network: NetworkID, known: LogPrefix?, ours: [Bytes32]?) {
        guard let known, let device = known.certificate?.certificate.device else {
            self = .absent
            return
        }
        let ours = ours.flatMap { LogRange(bounds: 0..<theirs.end, nodes: $0) }
        switch theirs.judge(log: log, network: network, device: device, known: known) {
        case .lie: self = theirs.proof == .known ? .unknownRoot : .lie
        case .unknownRoot: self = .unknownRoot
        case .proven(let proof):
            guard let ours else {
                self = .beyond(proof)
                return
            }
            let (descent, step) = Descent.begin(log: log, theirs: theirs, proof: proof, ours: ours)
            self = .compared(descent, step)
        }
    }
}
