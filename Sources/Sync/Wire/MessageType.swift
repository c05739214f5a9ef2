/// The type number of a message; unknown ones belong to later versions.
enum MessageType: UInt8, CaseIterable {
    case hello = 1
    case ownLog = 2
    case changes = 3
    case want = 4
    case chunks = 5
    case prefixWanted = 6
    case prefix = 7
    case bodiesWanted = 8
    case bodies = 9
    case keepAlive = 10
    case compare = 11
    case comparison = 12
    case peersWanted = 13
    case peers = 14
    case credit = 15
    case goodbye = 16
    case reconcile = 18
    case itemsWanted = 19
    case nodesWanted = 20
    case nodes = 21
    case items = 22
    case branch = 23

    /// The protocol version that introduced the message.
    var version: UInt32 {
        switch self {
        case .hello, .ownLog, .changes, .want, .chunks, .prefixWanted, .prefix, .bodiesWanted, .bodies, .keepAlive,
            .compare, .comparison, .peersWanted, .peers, .credit, .goodbye:
            1
        case .reconcile, .itemsWanted, .items, .nodesWanted, .nodes, .branch: 2
        }
    }
}
