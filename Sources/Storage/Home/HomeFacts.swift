internal import GRDB

/// The facts that tell a home from a copy; nil for what the system does not give, or what changes at every start.
///
/// A rolled-back snapshot of a virtual machine or a file system has the same facts, and cannot be detected.
package struct HomeFacts: Hashable, Sendable {
    /// `/etc/machine-id`.
    package var machine: String?
    /// UUID of the file system that holds the database, in hexadecimal.
    package var fileSystem: String?
    /// Inode of the database file.
    package var inode: UInt64?
    /// Creation time of the database file, in nanoseconds since 1970.
    package var birth: Int64?

    package init(machine: String? = nil, fileSystem: String? = nil, inode: UInt64? = nil, birth: Int64? = nil) {
        self.machine = machine
        self.fileSystem = fileSystem
        self.inode = inode
        self.birth = birth
    }

    /// Whether any fact that both have differs.
    package func differ(from other: HomeFacts) -> Bool {
        func differs<Fact: Equatable>(_ left: Fact?, _ right: Fact?) -> Bool {
            guard let left, let right else { return false }
            return left != right
        }
        return differs(machine, other.machine) || differs(fileSystem, other.fileSystem)
            || differs(inode, other.inode) || differs(birth, other.birth)
    }

    /// These facts, with those of `other` where there is none here.
    package func completed(by other: HomeFacts) -> HomeFacts {
        HomeFacts(
            machine: machine ?? other.machine,
            fileSystem: fileSystem ?? other.fileSystem,
            inode: inode ?? other.inode,
            birth: birth ?? other.birth
        )
    }
}

/// The one row of `home_facts`: where this home is, and why it signs nothing.
struct FactsRow {
    var facts: HomeFacts
    /// Nil while signing is allowed.
    var stop: SigningStop?

    static func read(_ db: Database) throws -> FactsRow {
        let sql = "SELECT machine, file_system, inode, birth, stop FROM home_facts"
        let row = try Prepared(db, sql).first { columns in
            FactsRow(
                facts: HomeFacts(
                    machine: columns.isNull(0) ? nil : columns.string(0),
                    fileSystem: columns.isNull(1) ? nil : columns.string(1),
                    inode: columns.isNull(2) ? nil : columns.bits(2),
                    birth: columns.optionalInteger(3)
                ),
                stop: columns.isNull(4) ? nil : SigningStop(rawValue: columns.string(4)) ?? .copied
            )
        }
        guard let row else { throw StorageError.damaged("the home's facts are missing") }
        return row
    }

    func write(_ db: Database) throws {
        let sql = "UPDATE home_facts SET machine = ?, file_system = ?, inode = ?, birth = ?, stop = ?"
        try Prepared(db, sql).run(
            facts.machine,
            facts.fileSystem,
            facts.inode.map { Int64(bitPattern: $0) },
            facts.birth,
            stop?.rawValue
        )
    }
}
