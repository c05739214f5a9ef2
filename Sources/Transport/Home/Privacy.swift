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

    /// Requires that this user owns the file or directory, if there is one.
    static func checkOwner(_ path: String) throws(HomeError) {
        guard let facts = FileSystem.facts(ofItself: path), facts.owner != FileSystem.user else { return }
        throw .foreignOwner(path)
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

extension HomeLayout {
    /// Requires that the directories are this user's, as far as they exist: what root writes into a home of somebody
    /// else keeps its owner out.
    package func checkOwner() throws(HomeError) {
        for directory in [data, settings] { try Privacy.checkOwner(directory) }
    }
}

extension HomeError {
    /// Converts a `SystemError` of `body` to `HomeError.system`.
    static func wrap<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(HomeError) -> Value {
        do throws(SystemError) { return try body() } catch { throw .system(error) }
    }
}
