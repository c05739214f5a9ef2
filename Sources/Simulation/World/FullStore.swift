package import Entries
package import Sodium
package import Storage
internal import Sync

/// The real store for a simulated node: everything that a home has, the feed included.
///
/// It draws its own store ids, so two worlds with the same seed have different traces.
package final class FullStore: WorldStore {
    /// The file, or memory; a store in memory keeps its contents and its store id across restarts of the node.
    private let place: EntryStore.Place
    private let network: NetworkID
    private var store: EntryStore?

    package init(_ place: EntryStore.Place, network: NetworkID) {
        self.place = place
        self.network = network
    }

    /// The open store of the present run; opens it if necessary.
    package func open() throws -> EntryStore {
        if let store { return store }
        let opened = try EntryStore(place, network: network, creation: .ifAbsent)
        store = opened
        return opened
    }

    /// Registers the author whose log is this node's own log.
    package func register(_ author: Author) throws {
        try open().registerOwnLog(author.certificate)
    }

    package func begin(_ run: StoreID) throws -> StoreState {
        if case .file = place {
            try store?.close()
            store = nil
        }
        return try open().state()
    }

    package func take(_ batch: TakeBatch) throws -> TakeReport { try open().take(batch) }
    package func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] { try open().prefixes(of: logs) }

    package func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        try open().ranges(wants, byteLimit: byteLimit)
    }

    package func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        try open().prefixNodes(of: log, end: end)
    }

    package func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? {
        try open().prefixProof(of: log, end: end)
    }

    package func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? {
        try open().nodes(of: log, at: place)
    }

    package func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        try open().bodies(places, byteLimit: byteLimit)
    }

    package func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        var chance = Chance(seed: time)
        let post = try Post(salt: Salt(using: &chance), text: text)
        return try open().append(.post(post), with: author.device, at: time, publication: .held)
    }
}
