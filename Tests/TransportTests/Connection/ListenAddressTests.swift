import Testing

@testable import Transport

@Suite struct ListenAddressTests {
    @Test(arguments: [
        (":7777", String?.none, UInt16(7777)), ("*:7777", nil, 7777), (":0", nil, 0), ("*:0", nil, 0),
        ("127.0.0.1:0", "127.0.0.1", 0), ("[::1]:0", "::1", 0), ("[::]:80", "::", 80), ("localhost", "localhost", 7776),
    ])
    func `A place to listen is a host, a port or both`(text: String, host: String?, port: UInt16) throws {
        #expect(try ListenAddress(parsing: text) == ListenAddress(host: host, port: port))
    }

    @Test(arguments: ["", ":", ":x", "host:65536", "::1", "[::1"])
    func `What is no place is refused`(text: String) {
        #expect(throws: PeerLineError.self) { try ListenAddress(parsing: text) }
    }

    @Test(arguments: ["::1", "::0", "fe80::0", "fe80::1:7776", "*::0"])
    func `An IPv6 address without brackets is told as one, whatever its end looks like`(text: String) {
        #expect(throws: PeerLineError.bracketsMissing) { try ListenAddress(parsing: text) }
    }
}
