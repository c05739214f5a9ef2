internal import CMalloc

/// Tuning of the C library's allocator.
package enum Heap {
    /// Arenas of glibc's malloc (mallopt(3)): threads share them, so that one may reuse what another freed.
    private static let arenasCount: CInt = 2

    /// Limits the allocator's arenas; to be called before other threads start.
    ///
    /// By default each thread has an arena, up to eight for each core, and each keeps its own peak.
    package static func keepSmall() {
        #if os(Linux)
            _ = mallopt(M_ARENA_MAX, arenasCount)
        #endif
    }
}
