import Foundation
import Testing

/// A wall clock that is wrong for one process: a library, compiled here, whose clock stands before libc's.
///
/// The program knows nothing of it. Moves what `CLOCK_REALTIME` says, and no other clock.
final class WallClock {
    private static let variable = "SHIFTED_CLOCK_SECONDS"

    private static let source = """
        #define _GNU_SOURCE
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long shift(void) {
            const char *text = getenv("\(variable)");
            return text ? atol(text) : 0;
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            long status = syscall(SYS_clock_gettime, clock, now);
            if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
            return (int)status;
        }

        int gettimeofday(struct timeval *restrict now, void *restrict zone) {
            struct timespec exact;
            (void)zone;
            if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
            now->tv_sec = exact.tv_sec;
            now->tv_usec = exact.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *result) {
            struct timespec exact;
            if (clock_gettime(CLOCK_REALTIME, &exact) != 0) return -1;
            if (result) *result = exact.tv_sec;
            return exact.tv_sec;
        }

        """

    /// Linux only, and a C compiler; where everything is checked (`CI`), its absence is an error.
    static let isPossible: Bool = {
        #if os(Linux)
            return compiler != nil || ProcessInfo.processInfo.environment["CI"] != nil
        #else
            return false
        #endif
    }()

    private static let compiler = ["/usr/bin/cc", "/usr/bin/clang", "/usr/bin/gcc"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    private let folder: ShortFolder
    private let library: String

    init() throws {
        folder = try ShortFolder()
        try folder.write(WallClock.source, to: "clock.c")
        library = folder.file("clock.so")
        let compile = Process()
        compile.executableURL = URL(fileURLWithPath: try #require(WallClock.compiler, "no C compiler"))
        compile.arguments = ["-shared", "-fPIC", "-o", library, folder.file("clock.c")]
        try compile.run()
        compile.waitUntilExit()
        try #require(compile.terminationStatus == 0)
    }

    /// The variables of a process whose clock goes so many seconds ahead.
    func ahead(seconds: Int64) -> [String: String] {
        ["LD_PRELOAD": library, WallClock.variable: String(seconds)]
    }

    /// The variables of a process whose clock begins at a moment in Unix seconds.
    func standing(at seconds: Int64) -> [String: String] {
        ahead(seconds: seconds - Int64(Date().timeIntervalSince1970))
    }
}
