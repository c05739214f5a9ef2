import Sync
import Testing

@testable import Transport

/// What the log tells of calls to listed peers that fail.
struct FailedCallsTests {
    private func place(_ port: UInt16) -> PeerAddress { PeerAddress(host: "oak", port: port) }

    @Test func `The first failure at each address is told, and the rest together each ten minutes`() {
        var calls = FailedCalls()
        var lines: [FailedCalls.Line] = []
        // A thousand addresses, each called once a minute.
        for minute in 0..<UInt64(25) {
            for port in 1...UInt16(1_000) {
                lines.append(calls.line(for: .refused, at: place(port), now: minute * 60_000))
            }
        }
        #expect(lines.count(where: { $0 == .whole }) == 1_000)
        let sums = lines.filter { $0 != .whole && $0 != .leftOut }
        #expect(sums.first == .sum(calls: 10_001, addresses: 1_000))
        #expect(sums.count == 2)
    }

    @Test func `Another reason is news, and so is the first failure after an answer`() {
        var calls = FailedCalls()
        #expect(calls.line(for: .refused, at: place(1), now: 0) == .whole)
        #expect(calls.line(for: .timedOut, at: place(1), now: 1) == .whole)
        #expect(calls.line(for: .refused, at: place(1), now: 2) == .leftOut)
        calls.answered(place(1))
        #expect(calls.line(for: .refused, at: place(1), now: 3) == .whole)
    }

    @Test func `What was left out is told in words`() {
        #expect(LogLine.failed(calls: 1, addresses: 1) == "1 more call to 1 address failed: scurry peers")
        #expect(LogLine.failed(calls: 12, addresses: 3) == "12 more calls to 3 addresses failed: scurry peers")
    }
}
