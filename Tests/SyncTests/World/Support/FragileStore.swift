import Entries
import Simulation

/// A store on a disk whose last transactions a power cut takes away.
final class FragileStore: StoreAround {
    private(set) var store = LightStore()
    /// What is on the disk for good.
    private var disk = LightStore()
    /// Transactions reach the disk.
    var isFlushed = true

    /// What was not on the disk is gone; the process is not running.
    func losePower() {
        store = disk
        isFlushed = false
    }

    var lastNumber: UInt64 { store.lastNumber }
    var contents: [[UInt8]?] { store.contents }
    func size(_ log: LogID) -> UInt64 { store.size(log) }

    func begin(_ run: StoreID) throws -> StoreState {
        if isFlushed { _ = try disk.begin(run) }
        return try store.begin(run)
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        if isFlushed { _ = try disk.take(batch) }
        return try store.take(batch)
    }
}
