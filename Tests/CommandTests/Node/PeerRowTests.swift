import Foundation
import Testing
import Transport

@testable import scurry

/// A peer of which nothing is heard any more is not said to be fine.
struct PeerRowTests {
    private let now: UInt64 = 1_790_000_000_000

    private func peer(
        heard seconds: UInt64? = nil,
        isInStep: Bool = true,
        wants: Int = 0,
        equal: UInt64? = nil
    ) throws -> StatusReport.Peer {
        let heard = [("lastHeard", seconds), ("lastEqual", equal)].compactMap { name, ago in
            ago.map { ",\"\(name)\":\(now - $0 * 1_000)" }
        }.joined()
        let json = """
            {"node":"abc","address":"oak:7776","direction":"outgoing","agent":"scurry","connectedSince":1,"isInStep":\(isInStep),
            "wants":\(wants),"bytesReceived":1,"bytesSent":1\(heard)}
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

    @Test func `Who was seen to hold the same, and lacks nothing since, counts as it is shown`() throws {
        let synced = try peer(isInStep: false, equal: 4)
        let late = try peer(isInStep: false, wants: 3, equal: 4)
        let fresh = try peer(isInStep: false)
        #expect(StatusReport.Peer.behind(of: [synced, try peer()]) == nil)
        #expect(StatusReport.Peer.behind(of: [synced, late, fresh])?.string == "3 connected, 1 in step")
    }

    @Test func `A script is told why a call failed, as a person is`() throws {
        let json = """
            {"address":"oak:7776","isListed":true,"state":"waiting","failures":1,"failure":"nobody listens there"}
            """
        let target = try JSONDecoder().decode(StatusReport.Target.self, from: Data(json.utf8))
        let row = PeerRow(address: "oak:7776", isListed: true, target: target)
        #expect(row.reason(TimeText(now: now, zone: .utc)).string == "nobody listens there")
        #expect(row.object["failure"] == JSONValue.string("nobody listens there"))
        #expect(PeerRow(address: "oak:7776", isListed: true).object["failure"] == JSONValue.null)
        // It called us meanwhile.
        let connected = PeerRow(address: "oak:7776", isListed: true, session: try peer(), target: target)
        #expect(connected.object["state"] == JSONValue.string("connected"))
        #expect(connected.object["failure"] == JSONValue.null)
    }

    @Test func `Of one node's several addresses there is one row, that of the connection`() throws {
        let json = """
            {"node":"me","network":"campus","process":1,"startedAt":1,"fingerprint":"","logs":0,"wantedLogs":0,
            "wantedBodies":0,"setAsideLogs":0,"isOwnLogCleared":true,"isSigningStopped":false,"isLocked":false,
            "bytesReceived":0,"bytesSent":0,"targets":[
            {"address":"oak:7776","node":"abc","isListed":true,"state":"waiting","failures":1},
            {"address":"oak:1","node":"abc","isListed":true,"state":"connected","failures":0}],
            "peers":[{"node":"abc","address":"oak:1","direction":"outgoing","agent":"scurry","connectedSince":1,
            "isInStep":true,"wants":0,"bytesReceived":1,"bytesSent":1}]}
            """
        let report = try JSONDecoder().decode(StatusReport.self, from: Data(json.utf8))
        let rows = PeerRow.all(PeersFile(parsing: "oak:7776  # hub\noak:1\n"), report)
        #expect(rows.map(\.address) == ["oak:1"])
        #expect(rows.map { $0.session?.address } == ["oak:1"])
        #expect(rows.map(\.name) == ["hub"])
        // Where the connection's address was learned, the listed one is shown.
        let listed = PeerRow.all(PeersFile(parsing: "oak:7776  # hub\n"), report)
        #expect(listed.map(\.address) == ["oak:7776"] && listed.map(\.isListed) == [true])
        #expect(listed.map { $0.session?.address } == ["oak:1"])
    }

    @Test func `An address that is listed twice is one row`() {
        let rows = PeerRow.all(PeersFile(parsing: "oak:7776\noak  # hub\n"), nil)
        #expect(rows.map(\.address) == ["oak:7776"])
        #expect(rows.map(\.name) == ["hub"])
    }

    @Test func `Who waits for its first call is told so, and as not called`() throws {
        let json = """
            {"address":"oak:7776","isListed":true,"state":"waiting","failures":0,"retryInMilliseconds":0,"isQueued":true}
            """
        let target = try JSONDecoder().decode(StatusReport.Target.self, from: Data(json.utf8))
        let row = PeerRow(address: "oak:7776", isListed: true, target: target)
        let clock = TimeText(now: now, zone: .utc)
        #expect(row.reason(clock).string == "was not called")
        #expect(row.condition(clock, .notRunning).string == "waits its turn")
    }

    @Test func `When a peer was in step is told after the connection, too`() throws {
        let json = """
            {"address":"oak:7776","isListed":true,"state":"waiting","failures":1,"lastInStep":\(now - 1_000)}
            """
        let target = try JSONDecoder().decode(StatusReport.Target.self, from: Data(json.utf8))
        let row = PeerRow(address: "oak:7776", isListed: true, target: target)
        #expect(row.object["last_in_step"] == JSONValue.string(TimeText.rfc3339(now - 1_000)))
        // On a connection only what was seen there counts.
        let connected = PeerRow(address: "oak:7776", isListed: true, session: try peer(), target: target)
        #expect(connected.object["last_in_step"] == JSONValue.null)
    }

    @Test func `Who calls and does not answer where it was heard of is shown where it calls from`() throws {
        let json = """
            {"node":"me","network":"campus","process":1,"startedAt":1,"fingerprint":"","logs":0,"wantedLogs":0,
            "wantedBodies":0,"setAsideLogs":0,"isOwnLogCleared":true,"isSigningStopped":false,"isLocked":false,
            "bytesReceived":0,"bytesSent":0,"targets":[
            {"address":"oak:1","node":"abc","isListed":false,"state":"waiting","failures":1,
            "failure":"nobody listens there"}],
            "peers":[{"node":"abc","address":"oak","direction":"incoming","agent":"scurry","connectedSince":1,
            "isInStep":true,"wants":0,"bytesReceived":1,"bytesSent":1}]}
            """
        let report = try JSONDecoder().decode(StatusReport.self, from: Data(json.utf8))
        #expect(PeerRow.all(PeersFile(parsing: ""), report).map(\.address) == ["oak"])
        // A person knows it by what was listed.
        #expect(PeerRow.all(PeersFile(parsing: "oak:1\n"), report).map(\.address) == ["oak:1"])
    }

    @Test func `Where another node answers, the one that is meant is not shown as connected`() throws {
        let json = """
            {"node":"me","network":"campus","process":1,"startedAt":1,"fingerprint":"","logs":0,"wantedLogs":0,
            "wantedBodies":0,"setAsideLogs":0,"isOwnLogCleared":true,"isSigningStopped":false,"isLocked":false,
            "bytesReceived":0,"bytesSent":0,"targets":[
            {"address":"oak:7776","node":"abc","isListed":true,"state":"waiting","failures":1,"impostor":"xyz"},
            {"address":"elm:1","node":"abc","isListed":false,"state":"connected","failures":0}],
            "peers":[{"node":"abc","address":"elm:1","direction":"outgoing","agent":"scurry","connectedSince":1,
            "isInStep":true,"wants":0,"bytesReceived":1,"bytesSent":1}]}
            """
        let report = try JSONDecoder().decode(StatusReport.self, from: Data(json.utf8))
        let rows = PeerRow.all(PeersFile(parsing: "oak:7776\n"), report)
        #expect(rows.map(\.address) == ["oak:7776", "elm:1"])
        #expect(rows.map { $0.session?.node } == [nil, "abc"])
        #expect(rows[0].reason(TimeText(now: now, zone: .utc)).string.contains("another node answers there, xyz"))
    }
}
