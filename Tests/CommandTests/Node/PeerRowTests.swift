import Foundation
import Testing
import Transport

@testable import scurry

/// A peer of which nothing is heard any more is not said to be fine.
struct PeerRowTests {
    private let now: UInt64 = 1_790_000_000_000

    private func peer(heard seconds: UInt64?) throws -> StatusReport.Peer {
        let heard = seconds.map { ",\"lastHeard\":\(now - $0 * 1_000)" } ?? ""
        let json = """
            {"node":"abc","address":"oak:7776","direction":"outgoing","agent":"scurry","connectedSince":1,"isInStep":true,
            "wants":0,"bytesReceived":1,"bytesSent":1\(heard)}
            """
        return try JSONDecoder().decode(StatusReport.Peer.self, from: Data(json.utf8))
    }

    @Test(arguments: [(nil, nil), (0, nil), (34, nil), (35, 35), (50, 50)] as [(UInt64?, UInt64?)])
    func `Whoever lives says so twice a minute`(heard: UInt64?, silence: UInt64?) throws {
        let peer = try peer(heard: heard)
        #expect(peer.silence(now: now) == silence)
        let row = PeerRow(address: "oak:7776", isListed: true, session: peer)
        let reason = row.reason(TimeText(now: now, zone: .utc)).string
        #expect((reason == "has said nothing for \(silence ?? 0) s") == (silence != nil))
    }
}
