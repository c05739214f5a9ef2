#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A pipe that later child processes do not inherit; its owner hands the ends over or closes them.
package struct OpenPipe: Sendable {
    package let reading: CInt
    package let writing: CInt

    package init() throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe", "") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (reading, writing) = (ends[0], ends[1])
    }

    /// Closes both ends.
    package func close() {
        for end in [reading, writing] {
            #if canImport(Glibc)
                _ = Glibc.close(end)
            #else
                _ = Darwin.close(end)
            #endif
        }
    }
}
