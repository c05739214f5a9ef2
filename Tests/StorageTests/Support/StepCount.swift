import GRDB
import GRDBSQLite

@testable import Storage

extension EntryStore {
    /// Rounds of the writing connection's virtual machine during `body`, in units of `grain`: a measure of work that
    /// does not depend on the machine.
    func rounds(grain: Int32 = 1_000, of body: () throws -> Void) rethrows -> Int {
        let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        count.initialize(to: 0)
        defer { count.deallocate() }
        writer.unsafeReentrantWrite { db in
            sqlite3_progress_handler(
                db.sqliteConnection,
                grain,
                { count in
                    count?.assumingMemoryBound(to: Int.self).pointee += 1
                    return 0
                },
                count
            )
        }
        defer { writer.unsafeReentrantWrite { sqlite3_progress_handler($0.sqliteConnection, 0, nil, nil) } }
        try body()
        return count.pointee
    }
}
