package import Entries
package import Sodium

/// The store of a simulated node: the real one, or a light one where there are thousands of nodes.
package protocol HeldStore: AnyObject {
    /// The state that a starting process loads; each call begins a new run with a new store id.
    func begin(_ run: StoreID) throws -> StoreState
    func take(_ batch: TakeBatch) throws -> TakeReport
    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix]
    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer]
    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]?
    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof?
    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]?
    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer]
}
