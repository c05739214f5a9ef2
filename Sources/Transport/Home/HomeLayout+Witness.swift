internal import Storage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension HomeLayout {
    /// The record about this home outside of it: `$XDG_STATE_HOME/scurry/NAME.witness`, 0600; nil if there is no such
    /// directory.
    ///
    /// A file that cannot be read or written proves nothing.
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

    /// Why the witness cannot be read or written, with its place; nil if it can, `ENOENT` if there is no place for it.
    /// Then an older copy of the database goes unnoticed.
    ///
    /// Tries it, in the directory that would have to be made or written, and removes what it made: some file systems,
    /// as `/proc`, permit root everything and take nothing.
    package var witnessFault: SystemError? {
        guard let state else { return SystemError(call: "access", path: "$XDG_STATE_HOME", code: ENOENT) }
        let path = "\(state)/\(shortName).witness"
        do throws(SystemError) {
            // A link to a disk that is not mounted is in the way, too.
            if FileSystem.facts(ofItself: path) != nil {
                _ = try OpenFile(path, for: .lock)
                return nil
            }
            var folder = state
            while !folder.isEmpty, FileSystem.facts(ofItself: folder) == nil {
                folder = FileSystem.parent(of: folder) ?? ""
            }
            let trial = "\(folder)/scurry.try-\(FileSystem.process)"
            try FileSystem.makeDirectories(trial)
            FileSystem.removeIfEmpty(trial)
            return nil
        } catch {
            let place = FileSystem.facts(ofItself: path) == nil ? state : path
            return SystemError(call: error.call, path: place, code: error.code)
        }
    }

    private static func write(
        _ bytes: [UInt8],
        to path: String,
        in directory: String,
        _ haste: HomeWitness.Haste
    ) throws(SystemError) {
        let file = try open(path, in: directory)
        try file.put(bytes)
        if haste == .lasting {
            try file.synchronize()
            try FileSystem.synchronizeDirectory(of: path)
        }
    }

    /// Opens the record, which is done again and again: the directory is looked at only where that fails.
    private static func open(_ path: String, in directory: String) throws(SystemError) -> OpenFile {
        do throws(SystemError) {
            return try OpenFile(path, for: .lock)
        } catch {
            guard error.code == ENOENT else { throw error }
            try FileSystem.makeDirectories(directory)
            return try OpenFile(path, for: .lock)
        }
    }
}
