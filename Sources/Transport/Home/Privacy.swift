/// Whether a file or a directory is this user's alone; asked of the open descriptor, so that nobody swaps it meanwhile.
enum Privacy {
    /// The directory must be this user's and writable by nobody else.
    static func checkDirectory(_ path: String) throws(HomeError) {
        try check(
            try HomeError.wrap { () throws(SystemError) in try OpenFile(path, for: .directory) },
            forbidden: 0o022,
            "700"
        )
    }

    /// The directory must be this user's and closed to all others.
    static func checkPrivateDirectory(_ path: String) throws(HomeError) {
        try check(
            try HomeError.wrap { () throws(SystemError) in try OpenFile(path, for: .directory) },
            forbidden: 0o077,
            "700"
        )
    }

    /// The file must be this user's and closed to all others.
    static func checkSecret(_ file: borrowing OpenFile) throws(HomeError) {
        try check(file, forbidden: 0o077, "600")
    }

    private static func check(
        _ file: borrowing OpenFile,
        forbidden: UInt32,
        _ permissions: String
    ) throws(HomeError) {
        let facts: FileFacts
        do throws(SystemError) { facts = try file.facts() } catch { throw .system(error) }
        guard facts.owner == FileSystem.user else { throw .foreignOwner(file.path) }
        guard facts.permissions & forbidden == 0 else { throw .exposed(file.path, permissions: permissions) }
    }
}

extension HomeError {
    /// Runs `body`, and gives a failed call of the system the type that users of a home expect.
    static func wrap<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(HomeError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}
