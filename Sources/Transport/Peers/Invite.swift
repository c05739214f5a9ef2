package import Entries
internal import Sodium
package import Sync

/// An invite: node, address, network, and the secret of a private network, in one line.
///
/// `scurry:NODEID@HOST:PORT/NETWORK[/SECRET]/CHECK`: the secret in base32; in the network's name every byte but
/// letters, digits and `-._~` as `%XX`; the check is base32 of the first 5 bytes of H("scurry/invite", everything
/// before the last slash), and detects a truncated or mistyped line (`protocol/channel.md` §1).
package struct Invite: Sendable {
    package let node: NodeID
    package let address: PeerAddress
    package let networkName: String
    package let secret: NetworkSecret?

    package static let prefix = "scurry:"
    private static let checkBytes = 5

    package init(node: NodeID, address: PeerAddress, networkName: String, secret: NetworkSecret?) {
        self.node = node
        self.address = address
        self.networkName = networkName
        self.secret = secret
    }

    /// Parses one line without its line end.
    package init(parsing text: String) throws(InviteError) {
        guard text.hasPrefix(Self.prefix) else { throw .notAnInvite }
        guard let slash = text.lastIndex(of: "/"), Self.check(of: text[..<slash]) == text[text.index(after: slash)...]
        else { throw .cutOff }
        let parts = text[..<slash].dropFirst(Self.prefix.count).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let place = parts.first else { throw .malformed }
        do throws(PeerLineError) {
            let line = try PeerLine(parsing: place)
            guard let node = line.node else { throw PeerLineError.badNode }
            self.node = node
            address = line.address
        } catch {
            throw .badAddress(error)
        }
        guard let name = Self.unescaped(parts[1]).flatMap(Home.networkName) else { throw .malformed }
        networkName = name
        guard parts.count == 3 else {
            secret = nil
            return
        }
        guard var bytes = Base32.decode(parts[2]), let secret = NetworkSecret(SecretBytes(moving: &bytes)) else {
            throw .malformed
        }
        self.secret = secret
    }

    package var text: String {
        var text = "\(Self.prefix)\(node)@\(address.text)/\(Self.escaped(networkName))"
        if let secret { text += "/" + secret.bytes.withUnsafeBytes { Base32.encode(Array($0)) } }
        return text + "/" + Self.check(of: text)
    }

    private static func check(of text: some StringProtocol) -> String {
        Base32.encode(Array(Blake2b.hash(.invite, Array(text.utf8)).bytes.prefix(checkBytes)))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            isPlain(byte)
                ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Nil for anything that `escaped` does not write.
    private static func unescaped(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        let name = String(decoding: bytes, as: UTF8.self)
        return escaped(name) == text ? name : nil
    }
}

/// Why a line is no invite.
package enum InviteError: Error, Hashable, Sendable {
    case notAnInvite
    /// The check is missing or wrong.
    case cutOff
    case badAddress(PeerLineError)
    /// The check is right and the rest does not parse: a newer version made it.
    case malformed
}

extension InviteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notAnInvite: "an invite begins with scurry:"
        case .cutOff: "this invite is cut off or mistyped"
        case .badAddress(let error): "this invite has no address: \(error)"
        case .malformed: "this invite is of a kind that this version does not know"
        }
    }
}
