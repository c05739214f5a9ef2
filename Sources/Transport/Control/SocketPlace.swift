/// Path of a home's control socket: in the home, or, if that path is too long for the kernel, in a short directory of
/// this user, recorded in the home's `control.path`.
enum SocketPlace {
    /// Chooses and records the path; only a node calls this, under the home's lock.
    static func make(_ layout: HomeLayout, runtime: String? = ProcessEnvironment.value("XDG_RUNTIME_DIR"))
        throws(HomeError) -> String
    {
        guard layout.controlSocket.utf8.count > TransportLimits.socketPathBytes else {
            try HomeError.wrap { () throws(SystemError) in try FileSystem.remove(layout.controlPath) }
            return layout.controlSocket
        }
        let directory = runtime.map { $0 + "/scurry" } ?? "/tmp/scurry-\(FileSystem.user)"
        try HomeError.wrap { () throws(SystemError) in try FileSystem.makeDirectories(directory) }
        // Under /tmp another user may have made the directory first.
        try Privacy.checkPrivateDirectory(directory)
        let path = "\(directory)/\(name(layout))"
        try HomeError.wrap { () throws(SystemError) in try FileSystem.replace(layout.controlPath, with: path + "\n") }
        return path
    }

    /// The path for a command. A copied or moved home still records the other home's path, which is ignored.
    static func find(_ layout: HomeLayout) -> String {
        guard let bytes = try? FileSystem.read(layout.controlPath, limit: 4_096), !bytes.isEmpty else {
            return layout.controlSocket
        }
        let path = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return path.hasSuffix("/" + name(layout)) ? path : layout.controlSocket
    }

    /// A file name derived from the home's path.
    private static func name(_ layout: HomeLayout) -> String { layout.shortName + ".sock" }
}
