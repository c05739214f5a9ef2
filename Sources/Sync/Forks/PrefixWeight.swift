package import Entries
package import Sodium

/// The verdict on a peer's compact range of a log, compared with the stored history.
package enum PrefixWeight: Hashable, Sendable {
    /// It is neither under a signature of the device nor under a known root.
    case lie
    /// It claims to be under a known root of a size that is unknown here, or known with another root: the two nodes may
    /// have heard of different settlements or forks so far.
    case unknownRoot
    /// The store does not hold as much of the log, or not any more.
    case absent
    /// The store does not hold as much, or not any more, but the range is proven.
    case beyond(ForkFinding.Proof)
    case compared(Descent?, Descent.Step)

    /// Verifies a peer's range, with a signature, so not on an event loop; `known` and `ours` are from the store.
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
