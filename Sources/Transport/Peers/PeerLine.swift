package import Entries
package import Sync

/// One line of a peers file: `[<node id>@]host[:port]  [# name]` (`peers.example`).
package struct PeerLine: Hashable, Sendable {
    /// The expected node; nil: the first one to answer is pinned.
    package let node: NodeID?
    package let address: PeerAddress
    /// A name for people; nil if the line has no comment.
    package let name: String?

    /// The default port.
    package static let defaultPort: UInt16 = 7776

    package init(node: NodeID?, address: PeerAddress, name: String? = nil) {
        self.node = node
        self.address = address
        self.name = name
    }

    /// Parses one line without its line end.
    package init(parsing line: some StringProtocol) throws(PeerLineError) {
        // By scalars: a combining mark at the start of a name forms one character with the blank before it.
        let scalars = line.unicodeScalars
        let mark = scalars.firstIndex(of: "#")
        let name = mark.map { Self.trimmed(scalars[scalars.index(after: $0)...]) } ?? ""
        let text = Self.trimmed(scalars[..<(mark ?? scalars.endIndex)])
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains(where: \.properties.isWhitespace) else { throw .moreThanOneWord }
        guard !text.contains("://") else { throw .webAddress }
        var address = text[...]
        var node: NodeID?
        if let at = text.lastIndex(of: "@") {
            guard let bytes = Base32.decode(text[..<at]), let id = NodeID(bytes) else { throw .badNode }
            node = id
            address = text[text.index(after: at)...]
        }
        self.init(node: node, address: try Self.address(address), name: name.isEmpty ? nil : name)
    }

    /// The line as written to the file, without its line end.
    package var description: String {
        let place = (node.map { "\($0)@" } ?? "") + address.text
        return name.map { "\(place)  # \($0)" } ?? place
    }

    /// Parses `host`, `host:port`, `[IPv6]` or `[IPv6]:port`; `port` applies where the text has none.
    package static func address(
        _ text: some StringProtocol,
        port: UInt16 = defaultPort
    ) throws(PeerLineError) -> PeerAddress {
        guard !text.contains("://") else { throw .webAddress }
        let host: String
        let rest: String
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .badHost }
            host = String(text[text.index(after: text.startIndex)..<end])
            rest = String(text[text.index(after: end)...])
            guard host.contains(":"), host.utf8.allSatisfy(Self.isOfAddress) else { throw .badHost }
        } else {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            host = String(text[..<colon])
            rest = String(text[colon...])
            guard rest.filter({ $0 == ":" }).count < 2 else { throw .bracketsMissing }
            guard !host.isEmpty, host.utf8.count <= 253, host.utf8.allSatisfy(Self.isOfName) else { throw .badHost }
        }
        guard !rest.isEmpty else { return PeerAddress(host: host, port: port) }
        guard rest.hasPrefix(":"), rest.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt16(rest.dropFirst()), number > 0
        else { throw .badPort }
        return PeerAddress(host: host, port: number)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Bytes of an IPv6 address, its `%` and interface name included.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ":") || byte == UInt8(ascii: "%") || isOfName(byte)
    }

    private static func trimmed(_ text: some BidirectionalCollection<Unicode.Scalar>) -> String {
        let start = text.drop(while: \.properties.isWhitespace)
        let end =
            start.lastIndex(where: { !$0.properties.isWhitespace }).map { start.index(after: $0) } ?? start.startIndex
        var trimmed = String.UnicodeScalarView()
        trimmed.append(contentsOf: start[..<end])
        return String(trimmed)
    }
}

/// Why a line of the peers file does not parse.
package enum PeerLineError: Error, Hashable, Sendable {
    case empty
    case moreThanOneWord
    /// The text before `@` is not a node id: 52 characters of lower-case base32.
    case badNode
    case badHost
    /// A URL, which may name another program's port.
    case webAddress
    /// An IPv6 address without brackets, whose last group could be a port.
    case bracketsMissing
    /// Not a number from 1 to 65,535.
    case badPort
}

extension PeerLineError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .empty: "no address"
        case .moreThanOneWord: "more than one word before the comment"
        case .badNode: "what stands before the @ is not a node id"
        case .badHost: "not a host name or an address"
        case .webAddress: "an address is HOST or HOST:PORT, and no URL"
        case .bracketsMissing: "an IPv6 address needs brackets: [2001:db8::1]:7776"
        case .badPort: "a port is a number from 1 to 65535"
        }
    }
}

extension PeerAddress {
    /// `host:port`, an IPv6 address in brackets.
    package var text: String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
}
