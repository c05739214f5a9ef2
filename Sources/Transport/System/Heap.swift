internal import CMalloc

/// How the C library keeps the memory that is free again.
package enum Heap {
    /// Arenas of glibc's malloc (mallopt(3)): threads share them, and what one gives back another may have.
    private static let arenasCount: CInt = 2

    /// Lets the process keep less; to be called before there are threads.
    ///
    /// By itself each thread has an arena, up to eight for each core, and each of them keeps the peak of its own.
    package static func keepSmall() {
        #if os(Linux)
            _ = mallopt(M_ARENA_MAX, arenasCount)
        #endif
    }
}
