#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The number of files that this process may have open at once (`RLIMIT_NOFILE`), sockets and event loops included.
enum OpenFileLimit {
    /// Raises the limit as far as this user may (`setrlimit`), if it is below `wanted`.
    ///
    /// - Returns: the limit now; `Int.max` if the system does not tell it.
    static func raised(for wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        let highest = min(limit.rlim_max, most)
        if limit.rlim_cur < rlim_t(wanted), highest > limit.rlim_cur {
            var higher = limit
            higher.rlim_cur = highest
            if setrlimit(resource, &higher) == 0 { limit = higher }
        }
        return Int(clamping: limit.rlim_cur)
    }

    #if canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
        private static let most = rlim_t.max
    #else
        private static var resource: CInt { RLIMIT_NOFILE }
        /// OPEN_MAX: macOS takes no more, even where there is no limit.
        private static let most: rlim_t = 10_240
    #endif
}
