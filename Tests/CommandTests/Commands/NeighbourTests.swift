import Sync
import Testing
import Transport

@testable import scurry

/// What `doctor` says of the local network. Real ones are in `Tests/Hosts`.
struct NeighbourTests {
    private func findings(_ ways: [String: NetworkCall.Way], _ nodes: String...) -> [Finding] {
        let found = nodes.map { PeerAddress(host: $0, port: 7776) }
        return NeighbourExamination.findings(NetworkCall.Outcome(ways: ways, nodes: Set(found)))
    }

    @Test func `Blocked is told from nobody there`() {
        let blocked = findings(["eth0": .dropped])
        #expect(blocked.map(\.state) == [.warning])
        #expect(blocked.first?.subject == "eth0")
        #expect(blocked.first?.text.string.hasPrefix("blocked: the call does not even come back") == true)
        #expect(blocked.first?.help?.string.contains("UDP port 7776") == true)
        let alone = findings(["eth0": .open])
        #expect(alone.map(\.state) == [.ok])
        #expect(alone.first?.text.string.hasPrefix("nobody there: ") == true)
    }

    @Test func `Each device is told, and who answers on any of them`() {
        let both = findings(["wlan0": .failed(reason: "not permitted"), "eth0": .open], "10.0.0.3", "10.0.0.2")
        #expect(both.map(\.state) == [.warning, .ok])
        #expect(both.first?.text.string == "blocked: the call cannot be sent: not permitted")
        #expect(both.last?.text.string == "2 nodes answer: 10.0.0.2:7776, 10.0.0.3:7776")
    }

    @Test func `A machine without a network says so`() {
        #expect(findings([:]).map(\.text.string) == ["this machine is in no network but its own"])
    }
}
