/// How much room the database and its write-ahead log may take on the disk (`protocol/sync.md` §8, Budgets).
package struct DiskBudget: Hashable, Sendable {
    package let bytes: Int

    package init(bytes: Int) {
        self.bytes = bytes
    }

    /// Kept free for a transaction at its largest, twice: in the log and in the file.
    var reserveBytes: Int { min(StorageLimits.budgetReserveBytes, bytes / 4) }

    /// Bodies give way when more than this is in use.
    var highBytes: Int { bytes - reserveBytes }

    /// Beyond this the next transactions might not fit: room is made for longer at once.
    var pressedBytes: Int { highBytes + reserveBytes / 4 }

    /// Of one transaction that makes room: it takes three times as much of the log.
    var lotBytes: Int { min(StorageLimits.budgetLotBytes, reserveBytes / 16) }

    /// Of the log, before it is moved into the file.
    var logBytes: Int { reserveBytes / 8 }

    /// Down to this, so that not every transaction has to make room.
    var lowBytes: Int { highBytes - min(StorageLimits.budgetStepBytes, highBytes / 16) }
}

/// What the bodies that gave way amount to.
package struct RoomUse: Hashable, Sendable {
    /// Of the file, free pages aside.
    package let usedBytes: Int
    package let fileBytes: Int
    package let droppedBodies: Int
}
