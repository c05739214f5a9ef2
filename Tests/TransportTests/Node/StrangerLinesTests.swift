import Sync
import Testing

@testable import Transport

/// What the log tells of strangers that come and go.
@Suite struct StrangerLinesTests {
    private let host = HostNetwork("192.0.2.1")

    @Test func `One line in ten minutes is told, with how many were left out before it`() {
        var lines = StrangerLines()
        let told = (0..<UInt64(1_300)).compactMap { second in
            lines.leftOut(before: .connected, of: host, now: second * 1_000)
        }
        #expect(told == [0, 599, 599])
    }

    @Test func `Another host, and another kind, hide nothing of each other`() {
        var lines = StrangerLines()
        #expect(lines.leftOut(before: .connected, of: host, now: 0) == 0)
        #expect(lines.leftOut(before: .connected, of: host, now: 1) == nil)
        #expect(lines.leftOut(before: .lost, of: host, now: 1) == 0)
        #expect(lines.leftOut(before: .connected, of: HostNetwork("192.0.2.2"), now: 1) == 0)
    }

    @Test func `Of very many hosts the soonest to be told again makes room`() {
        var lines = StrangerLines()
        for number in 0...TransportLimits.strangerLines {
            let other = HostNetwork("10.0.\(number / 250).\(number % 250)")
            #expect(lines.leftOut(before: .lost, of: other, now: UInt64(number)) == 0)
        }
        let now = UInt64(TransportLimits.strangerLines) + 1
        #expect(lines.leftOut(before: .lost, of: HostNetwork("10.0.0.0"), now: now) == 0)
        #expect(lines.leftOut(before: .lost, of: HostNetwork("10.0.1.0"), now: now) == nil)
    }
}
