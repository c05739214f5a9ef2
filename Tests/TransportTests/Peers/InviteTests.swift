import Entries
import Sodium
import Sync
import Testing

@testable import Transport

struct InviteTests {
    private let node = NodeID(raw: Bytes32(repeatElement(7, count: 32)) ?? .zero)

    private func invite(_ network: String = "campus", secret: Bool = false, host: String = "oak.example.edu") -> Invite
    {
        var bytes = Array("a secret of the laboratory".utf8)
        return Invite(
            node: node,
            address: PeerAddress(host: host, port: 7776),
            networkName: network,
            secret: secret ? NetworkSecret(SecretBytes(moving: &bytes)) : nil
        )
    }

    @Test(arguments: ["campus", "a/b?c#d%e", "!", "~"], ["oak.example.edu", "10.0.0.7", "2001:db8::1"])
    func `An invite is read as it was written`(network: String, host: String) throws {
        for withSecret in [false, true] {
            let made = invite(network, secret: withSecret, host: host)
            let read = try Invite(parsing: made.text)
            #expect(read.node == node && read.address == made.address && read.networkName == network)
            #expect((read.secret != nil) == withSecret)
            if let ours = made.secret, let theirs = read.secret { #expect(ours.bytes.isEqual(to: theirs.bytes)) }
            // Nothing that a shell would take for something else, but the brackets of an address.
            #expect(made.text.utf8.allSatisfy { !" ?*#!$&'\"<>|;()\\".utf8.contains($0) })
        }
    }

    /// Made by Python's `hashlib`.
    @Test func `The check is the hash of what stands before it`() {
        let text = "scurry:\(node)@oak.example.edu:7776/campus"
        #expect(invite().text == text + "/g2pt2dk7")
    }

    @Test func `One that was cut off anywhere, or has a changed letter, is noticed`() {
        for text in [invite().text, invite(secret: true).text] {
            for count in 7..<text.count {
                #expect(throws: InviteError.cutOff, "\(count)") { try Invite(parsing: String(text.prefix(count))) }
            }
            for index in text.indices.dropFirst(7) {
                var changed = text
                changed.replaceSubrange(index...index, with: text[index] == "b" ? "c" : "b")
                #expect(throws: InviteError.cutOff, "\(changed)") { try Invite(parsing: changed) }
            }
        }
        for text in ["", "scurry", "https://example.edu"] {
            #expect(throws: InviteError.notAnInvite) { try Invite(parsing: text) }
        }
    }

    @Test func `What has a right check and makes no sense is refused`() {
        let id = node.description
        let secret = String(repeating: "a", count: 32)
        for (body, error) in [
            ("oak:7776/campus", InviteError.badAddress(.badNode)),
            ("\(id)@/campus", .badAddress(.badHost)),
            ("\(id)@oak:0/campus", .badAddress(.badPort)),
            ("\(id)@oak", .malformed),
            ("\(id)@oak/", .malformed),
            ("\(id)@oak/two%20words", .malformed),
            ("\(id)@oak/%63ampus", .malformed),
            ("\(id)@oak/campus/short", .malformed),
            ("\(id)@oak/campus/\(secret.uppercased())", .malformed),
            ("\(id)@oak/campus/\(secret)/more", .malformed),
        ] {
            let text = "scurry:" + body
            let check = Base32.encode(Array(Blake2b.hash(.invite, Array(text.utf8)).bytes.prefix(5)))
            #expect(throws: error, "\(body)") { try Invite(parsing: text + "/" + check) }
        }
    }
}

struct LocalAddressesTests {
    @Test(
        arguments: [
            ("127.0.0.1", "lo", nil), ("::1", "lo", nil), ("fe80::1", "eth0", nil), ("169.254.3.4", "eth0", nil),
            ("171.64.1.2", "eth0", .everywhere), ("10.1.2.3", "wlan0", .campus), ("172.17.0.1", "docker0", .bridge),
            ("172.32.0.1", "eth0", .everywhere), ("100.64.0.1", "eth0", .campus), ("192.168.1.7", "eth0", .campus),
            ("2001:db8::1", "eth0", .everywhereByIPv6), ("fd00::1", "eth0", .campusByIPv6),
        ] as [(String, String, LocalAddresses.Reach?)]
    )
    func `An address reaches as far as it does`(address: String, interface: String, reach: LocalAddresses.Reach?) {
        #expect(LocalAddresses.reach(of: address, on: interface) == reach)
    }

    @Test func `This machine's own are none that mean something else elsewhere`() {
        for address in LocalAddresses.all() { #expect(LocalAddresses.reach(of: address, on: "") != nil) }
    }
}
