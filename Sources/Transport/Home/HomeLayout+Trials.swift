#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What is left by a `doctor` that was killed while it tried whether something can be made here.
extension HomeLayout {
    /// What the names of these files begin with, before the number of the process.
    private static let trialMarks = ["doctor.try-", "lock.try-"]

    /// Removes trial files of this user whose process has ended; whatever cannot be removed stays.
    package func removeStaleTrials() {
        for name in (try? FileSystem.names(in: data)) ?? [] {
            let path = "\(data)/\(name)"
            guard let mark = Self.trialMarks.first(where: { name.hasPrefix($0) }),
                let process = Int32(name.dropFirst(mark.count)), process > 0, Self.hasEnded(process),
                let facts = FileSystem.facts(ofItself: path), facts.isRegular, facts.owner == FileSystem.user
            else { continue }
            try? FileSystem.remove(path)
        }
    }

    /// Whether there is no such process (`kill` with signal 0).
    private static func hasEnded(_ process: Int32) -> Bool { kill(process, 0) != 0 && errno == ESRCH }
}
