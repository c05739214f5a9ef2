/// Checks that files and directories belong to this user alone; on the open descriptor, so that they cannot be swapped
/// meanwhile.
enum Privacy {
    /// Requires that this user owns the directory, and nobody else may write.
    static func checkDirectory(_ path: String) throws(HomeError) {
        try check(
            try HomeError.wrap { () throws(SystemError) in try OpenFile(path, for: .directory) },
            forbidden: 0o022,
            "700"
        )
    }

    /// Requires that this user owns the directory, and nobody else has access.
    static func checkPrivateDirectory(_ path: String) throws(HomeError) {
        try check(
            try HomeError.wrap { () throws(SystemError) in try OpenFile(path, for: .directory) },
            forbidden: 0o077,
            "700"
        )
    }

    /// Requires that this user owns the file, and nobody else has access.
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
    /// Converts a `SystemError` of `body` to `HomeError.system`.
    static func wrap<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(HomeError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}
