import Entries
import Sodium
import Sync
import Testing

@testable import Transport

@Suite struct PeerLineTests {
    private let node = NodeID(raw: Bytes32(1...32) ?? .zero)

    @Test(arguments: [
        ("hub.example.org", "hub.example.org", UInt16(7776)),
        ("hub.example.org:80", "hub.example.org", 80),
        ("192.0.2.7:1", "192.0.2.7", 1),
        ("[2001:db8::1]", "2001:db8::1", 7776),
        ("[2001:db8::1]:65535", "2001:db8::1", 65_535),
        ("[fe80::1%eth0]:7776", "fe80::1%eth0", 7776),
        ("  localhost:7776 \t", "localhost", 7776),
    ])
    func `An address is a host and perhaps a port`(text: String, host: String, port: UInt16) throws {
        let line = try PeerLine(parsing: text)
        #expect(line.address == PeerAddress(host: host, port: port))
        #expect(line.node == nil && line.name == nil)
    }

    @Test func `A node's id and a name stand around it`() throws {
        let line = try PeerLine(parsing: "\(node)@[::1]:7777  #  the hub # in the library ")
        #expect(
            line
                == PeerLine(node: node, address: PeerAddress(host: "::1", port: 7777), name: "the hub # in the library")
        )
        #expect(try PeerLine(parsing: line.description) == line)
    }

    /// Found by the fuzzer: the mark and the blank before it are one character, and blanks before a name are no part of
    /// it.
    @Test func `A name may begin with a combining mark`() throws {
        let name = "\u{591}Ann"
        let line = try PeerLine(parsing: "host  # \(name)")
        #expect(line.name == name)
        #expect(try PeerLine(parsing: line.description) == line)
        #expect(try PeerLine(parsing: "host #\(name)") == line)
    }

    @Test(arguments: [
        ("", PeerLineError.empty), ("   # only a name", .empty), ("a b", .moreThanOneWord),
        ("short@host", .badNode), ("@host", .badNode), (":7776", .badHost), ("host:", .badPort), ("host:0", .badPort),
        ("host:65536", .badPort), ("host:+80", .badPort), ("host:7776x", .badPort), ("2001:db8::1", .bracketsMissing),
        ("::1", .bracketsMissing), ("[::1", .badHost), ("[host]:80", .badHost), ("[::1]80", .badPort),
        ("http://host:7776", .webAddress), ("https://host", .webAddress), ("x@http://host", .webAddress),
        ("ho\u{1B}[31mst:80", .badHost), ("hö.example:80", .badHost),
    ])
    func `What is no peer is refused with its reason`(text: String, reason: PeerLineError) {
        #expect(throws: reason) { try PeerLine(parsing: text) }
    }

    @Test func `An id in upper case is refused, since one id has one spelling`() {
        #expect(throws: PeerLineError.badNode) { try PeerLine(parsing: "\(node)".uppercased() + "@host") }
    }
}
