/// Path of a home's control socket: in the home, or, if that path is too long for the kernel, in a short directory of
/// this user, `$XDG_RUNTIME_DIR/scurry` or one under `/tmp`, recorded in the home's `control.path`.
enum SocketPlace {
    /// Chooses and records the path; only a node calls this, under the home's lock.
    static func make(_ layout: HomeLayout, runtime: String? = ProcessEnvironment.value("XDG_RUNTIME_DIR"))
        throws(HomeError) -> String
    {
        guard layout.controlSocket.utf8.count > TransportLimits.socketPathBytes else {
            try HomeError.wrap { () throws(SystemError) in try FileSystem.remove(layout.controlPath) }
            return layout.controlSocket
        }
        let directory = try HomeError.wrap { () throws(SystemError) in try made(layout, runtime) }
        // Under /tmp another user may have made the directory first.
        try Privacy.checkPrivateDirectory(directory)
        let path = "\(directory)/\(name(layout))"
        try HomeError.wrap { () throws(SystemError) in try FileSystem.replace(layout.controlPath, with: path + "\n") }
        return path
    }

    /// The directory, made; the one under `/tmp` where that in `runtime` cannot be: a log-out removes it, and only the
    /// system makes it.
    private static func made(_ layout: HomeLayout, _ runtime: String?) throws(SystemError) -> String {
        do throws(SystemError) {
            let directory = directory(layout, runtime)
            try FileSystem.makeDirectories(directory)
            return directory
        } catch {
            guard error.isRefusal || error.isAbsence else { throw error }
            let directory = directory(layout, nil)
            try FileSystem.makeDirectories(directory)
            return directory
        }
    }

    /// The directory in `runtime`, unless that is unset, no absolute path, or itself too long; or has a line break,
    /// which ends the path in the file that records it.
    static func directory(_ layout: HomeLayout, _ runtime: String?) -> String {
        if let runtime, runtime.hasPrefix("/"), !runtime.utf8.contains(UInt8(ascii: "\n")) {
            let directory = runtime + "/scurry"
            if "\(directory)/\(name(layout))".utf8.count <= TransportLimits.socketPathBytes { return directory }
        }
        return "/tmp/scurry-\(FileSystem.user)"
    }

    /// The path for a command. A copied or moved home still records the other home's path, which is ignored.
    static func find(_ layout: HomeLayout) -> String { (try? recorded(layout)) ?? layout.controlSocket }

    /// As `find`.
    ///
    /// - Throws: what reading the record says, unless it is absent.
    static func recorded(_ layout: HomeLayout) throws(SystemError) -> String {
        guard let bytes = try FileSystem.read(layout.controlPath, limit: 4_096), !bytes.isEmpty else {
            return layout.controlSocket
        }
        let path = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return path.hasSuffix("/" + name(layout)) ? path : layout.controlSocket
    }

    /// A file name derived from the home's path.
    private static func name(_ layout: HomeLayout) -> String { layout.shortName + ".sock" }
}
