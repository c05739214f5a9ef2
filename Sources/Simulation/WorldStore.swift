package import Entries
package import Sodium

/// What a simulated node keeps its entries in: the real store, or a light one where there are thousands of nodes.
package protocol HeldStore: AnyObject {
    /// What the node's process finds when it begins; each call begins a new run.
    func begin(_ run: StoreID) throws -> StoreState
    func take(_ batch: TakeBatch) throws -> TakeReport
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix]
    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer]
    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]?
    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof?
    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]?
    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer]
}

/// One whose author is kept beside it.
package protocol WorldStore: HeldStore {
    /// The author here writes a post.
    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend
}
