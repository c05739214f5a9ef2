import Testing
import Transport

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct EndSignalsTests {
    private func isPipe(_ descriptor: Int32) -> Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
    }

    @Test func `One pipe serves all who wait, and stays open for a handler that still runs`() throws {
        let ends = try #require(EndSignals.pipe)
        for _ in 1...3 { EndSignals {}.end() }
        #expect(isPipe(ends.reading) && isPipe(ends.writing))
        #expect(EndSignals.pipe?.writing == ends.writing)
    }
}
