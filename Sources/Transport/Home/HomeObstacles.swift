#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What lies where a home has, or would have, its files.
extension HomeLayout {
    /// Why commands that write, or the node, would fail at a file that nothing reads before: a directory, pipe or link
    /// in its place, or something else in the place of a directory; as the error that they would report.
    package var obstacles: [SystemError] {
        var found: [SystemError] = []
        for path in [lock, settingsTurn, keyTurn, networkSecret] {
            guard let facts = FileSystem.facts(ofItself: path), !facts.isRegular else { continue }
            found.append(facts.isLink ? SystemError(call: "open", path: path, code: ELOOP) : .noFile(path))
        }
        for path in [learnedPeers, openedPlaces] {
            do throws(SystemError) {
                _ = try FileSystem.read(path, limit: 1, for: .readLinked)
            } catch {
                found.append(error)
            }
        }
        if hasNoFolder(at: drafts) { found.append(SystemError(call: "opendir", path: drafts, code: ENOTDIR)) }
        // A starting node removes whatever else lies there.
        for path in [SocketPlace.find(self), controlPath] where FileSystem.facts(ofItself: path)?.isDirectory == true {
            found.append(SystemError(call: "unlink", path: path, code: EISDIR))
        }
        return found
    }

    /// Whether something lies at a path that is neither a directory nor a link to one.
    func hasNoFolder(at path: String) -> Bool {
        // With the slash the path must be a directory.
        FileSystem.facts(ofItself: path) != nil && !FileSystem.exists(path + "/")
    }

    /// Names that commands may write before there is a home, or that an earlier attempt to make one left; and what
    /// systems put at the root of a disk.
    private static let earlyNames: Set = [
        "config", "peers", "settings.lock", "lock", "lost+found", ".DS_Store", "System Volume Information",
    ]

    /// Requires that a home may be made here: that sets the directory's mode to 0700, and must not happen to one that
    /// serves something else, such as a person's own directory.
    ///
    /// - Throws: `.notEmpty` for a directory of this user that has another mode and holds other files. Whatever else
    ///   may be wrong is found when the home is opened or made.
    package func checkVacancy() throws(HomeError) {
        guard let facts = FileSystem.facts(ofItself: data), facts.isDirectory, facts.owner == FileSystem.user,
            facts.permissions != 0o700, let names = try? FileSystem.names(in: data)
        else { return }
        let isHome = unfinishedMark != nil || [network, store, nodeKey].contains { FileSystem.exists($0) }
        let isOthers = names.contains { !Self.earlyNames.contains($0) && !FileSystem.isRemains($0) }
        guard !isHome, isOthers else { return }
        throw .notEmpty(data)
    }
}
