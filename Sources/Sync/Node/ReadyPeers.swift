import Entries

/// Peers with a link, in the order in which their connections were opened.
///
/// Counted when a link begins or ends, since each event needs them.
struct ReadyPeers {
    private(set) var all: [NodeID] = []
    /// Those with which windows are in use, so that they can be asked to fill gaps.
    private(set) var speakingWindows: [NodeID] = []
    /// Part of the frontier in the common scope, for each peer with which that is not all of it.
    private(set) var parts: [NodeID: PartID] = [:]
}

extension ReadyPeers {
    init(_ links: SessionTable<Link>, in order: [SessionID]) {
        for id in order {
            guard let node = links[id]?.node else { continue }
            all.append(node)
            if links[id]?.windows == .spoken { speakingWindows.append(node) }
            if let part = links[id]?.part { parts[node] = part }
        }
    }
}
