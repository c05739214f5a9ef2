#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What can be found out about a home before it is opened, for somebody who looks for what is wrong.
extension HomeLayout {
    /// Directories and files that other users can get at, or that are theirs; `.exposed` and `.foreignOwner`.
    package var exposures: [HomeError] {
        var found: [HomeError] = []
        let note = { (body: () throws(HomeError) -> Void) in
            do throws(HomeError) {
                try body()
            } catch {
                switch error {
                case .exposed, .foreignOwner: found.append(error)
                // Whatever is missing or unreadable is told by whoever opens it.
                default: break
                }
            }
        }
        note { () throws(HomeError) in try Privacy.checkPrivateDirectory(data) }
        if settings != data { note { () throws(HomeError) in try Privacy.checkDirectory(settings) } }
        note { () throws(HomeError) in try Privacy.checkPrivateDirectory(keys) }
        for name in ((try? FileSystem.names(in: keys)) ?? []).sorted() {
            note { () throws(HomeError) in
                try Privacy.checkSecret(
                    try HomeError.wrap { () throws(SystemError) in try OpenFile(keys + "/" + name, for: .read) }
                )
            }
        }
        return found
    }

    /// Bytes that this user may still write where the home is (`statvfs`); nil if the system does not say.
    package var freeBytes: UInt64? {
        var facts = statvfs()
        guard statvfs(data, &facts) == 0 else { return nil }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }
}
