import Storage
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The limit of open files; in processes of their own, since it is one of all threads.
struct OpenFileLimitTests {
    @Test func `A limit below what is wanted is raised, another one stays`() async {
        await #expect(processExitsWith: .success) {
            let least = OpenFileLimit.raised(for: 0)
            guard least > 100 else { exit(0) }
            var limit = rlimit(rlim_cur: 100, rlim_max: rlim_t(least))
            #if canImport(Glibc)
                let status = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                let status = setrlimit(RLIMIT_NOFILE, &limit)
            #endif
            guard status == 0, OpenFileLimit.raised(for: 100) == 100 else { exit(1) }
            exit(OpenFileLimit.raised(for: 101) == least && OpenFileLimit.raised(for: 0) == least ? 0 : 2)
        }
    }

    @Test func `A database for which no file is left is said to be one, and not one of other permissions`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let home = try directory.home()
            // One more file may be opened: the database's, and none beside it.
            let last = dup(0)
            close(last)
            var limit = rlimit(rlim_cur: rlim_t(last + 1), rlim_max: rlim_t(last + 1))
            #if canImport(Glibc)
                let status = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #else
                let status = setrlimit(RLIMIT_NOFILE, &limit)
            #endif
            guard last > 0, status == 0 else { exit(3) }
            do throws(HomeError) {
                _ = try home.storeReader()
            } catch {
                exit(error == .store(.tooManyFiles) ? 0 : 2)
            }
            exit(1)
        }
    }
}
