package import Entries

/// A whole node without its surroundings: events in, effects out.
///
/// A pure value: no socket, no SQL, no clock and no chance; the same events at the same moments give the same effects.
package struct NodeMachine: Sendable {
    private let configuration: NodeConfiguration

    /// - Parameters:
    ///   - state: what the store held when the process began.
    ///   - peers: listed ones and those learned earlier.
    ///   - seed: from the system's chance; jitter alone depends on it.
    package init(configuration: NodeConfiguration, state: StoreState, peers: [PeerTarget], seed: UInt64) {
        self.configuration = configuration
    }

    package mutating func received(_ event: NodeEvent, at now: Moment) -> [NodeEffect] {
        []
    }

    /// No session, no batch and no question is open: after `stop`, the process may end.
    package var isIdle: Bool { true }
}
