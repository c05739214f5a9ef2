internal import Storage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension HomeLayout {
    /// What is kept of this home outside of it: `$XDG_STATE_HOME/scurry/NAME.witness`, 0600; nil where there is no such place.
    ///
    /// A file that cannot be read, or written, concludes nothing.
    var witness: HomeWitness? {
        guard let state else { return nil }
        let path = "\(state)/\(shortName).witness"
        return HomeWitness(
            read: { try? FileSystem.read(path, limit: 1_024) },
            write: { bytes, haste in
                do throws(SystemError) {
                    try Self.write(bytes, to: path, in: state, haste)
                    return true
                } catch {
                    return false
                }
            }
        )
    }

    /// What keeps the file from being read or written, nil: nothing; where there is no place for it, `ENOENT`. Then an older copy
    /// of the database that somebody puts in its place goes unnoticed.
    package var witnessFault: SystemError? {
        guard let state else { return SystemError(call: "access", path: "$XDG_STATE_HOME", code: ENOENT) }
        let path = "\(state)/\(shortName).witness"
        do throws(SystemError) {
            if FileSystem.exists(path) {
                _ = try OpenFile(path, for: .lock)
            } else {
                var folder = state
                while !FileSystem.exists(folder), let parent = FileSystem.parent(of: folder) { folder = parent }
                // Behind a slash it has to be a directory, too.
                guard FileSystem.isWritable(folder + "/") else { throw SystemError("access", folder) }
            }
            return nil
        } catch {
            return error
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to path: String,
        in directory: String,
        _ haste: HomeWitness.Haste
    ) throws(SystemError) {
        if !FileSystem.exists(path) { try FileSystem.makeDirectories(directory) }
        let file = try OpenFile(path, for: .lock)
        try file.put(bytes)
        if haste == .lasting {
            try file.synchronize()
            try FileSystem.synchronizeDirectory(of: path)
        }
    }
}
