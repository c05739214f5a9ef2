internal import Entries
internal import Sync

/// The peers file: a text file that people edit, as do `join` and `leave`.
///
/// Order, comments, blank lines and lines that do not parse are kept as they are.
package struct PeersFile: Hashable, Sendable {
    private var lines: [Line]

    private enum Line: Hashable, Sendable {
        case comment(String)
        case peer(PeerLine, text: String)
        case bad(PeerLineError, text: String)

        var text: String {
            switch self {
            case .comment(let text), .peer(_, let text), .bad(_, let text): text
            }
        }
    }

    /// A line that does not parse; the others are used.
    package struct BadLine: Error, Hashable, Sendable {
        /// Counted from 1.
        package let number: Int
        package let reason: PeerLineError
    }

    /// The head of a file that `join` makes.
    package static let header = """
        # Peers of this node, one a line: [<node id>@]host[:port]  # name
        # Written by `scurry join` and `scurry leave`; may be edited by hand.

        """

    package init(parsing text: String) {
        var texts = TextLines.split(text)
        if texts.last?.isEmpty == true { texts.removeLast() }
        lines = texts.map { text in
            let text = String(text)
            // By scalars, as `PeerLine` parses.
            let content = text.unicodeScalars.drop(while: \.properties.isWhitespace)
            if content.isEmpty || content.first == "#" { return .comment(text) }
            do throws(PeerLineError) {
                return .peer(try PeerLine(parsing: text), text: text)
            } catch {
                return .bad(error, text: text)
            }
        }
    }

    /// Reads the file for use; an absent file has no peers.
    package init(reading path: String) throws(SystemError) {
        let bytes = try FileSystem.read(path, limit: TransportLimits.peersFileBytes, for: .readLinked)
        self.init(parsing: bytes.map { String(decoding: $0, as: UTF8.self) } ?? Self.header)
    }

    /// Reads the file for editing.
    ///
    /// - Throws: `EFBIG` and `EILSEQ` for a file that could not be written back unchanged.
    package init(editing path: String) throws(SystemError) {
        self.init(parsing: try FileSystem.readText(path, limit: TransportLimits.peersFileBytes) ?? Self.header)
    }

    package var peers: [PeerLine] {
        lines.compactMap { line in
            guard case .peer(let peer, _) = line else { return nil }
            return peer
        }
    }

    /// How many peers are listed: lines of one address, or of one node as far as its id is known, are one.
    package func peersCount(_ known: KnownNodes) -> Int {
        var addresses: Set<PeerAddress> = []
        let lines = peers.filter { addresses.insert($0.address).inserted }
        let nodes = lines.compactMap { $0.node ?? known[$0.address] }
        return lines.count - nodes.count + Set(nodes).count
    }

    package var badLines: [BadLine] {
        lines.enumerated().compactMap { index, line in
            guard case .bad(let reason, _) = line else { return nil }
            return BadLine(number: index + 1, reason: reason)
        }
    }

    package var text: String {
        lines.map { $0.text + "\n" }.joined()
    }

    /// Replaces the file atomically; a crash leaves the old one or the new one.
    package func write(to path: String) throws(SystemError) {
        try NullDevice.refuse(path)
        if let directory = FileSystem.parent(of: path) { try FileSystem.makeDirectories(directory) }
        try FileSystem.replaceText(path, with: text)
    }

    /// The result of `add`.
    package enum Addition: Hashable, Sendable {
        case added
        /// The address was listed with another id or name, or without one: its line was replaced.
        case changed(PeerLine)
        case unchanged
    }

    /// Appends a peer, or replaces the line of the same address.
    ///
    /// An id or name in the old line is kept if the new one has none.
    package mutating func add(_ peer: PeerLine) -> Addition {
        for (index, line) in lines.enumerated() {
            guard case .peer(let old, _) = line, old.address == peer.address else { continue }
            let new = PeerLine(node: peer.node ?? old.node, address: peer.address, name: peer.name ?? old.name)
            if new == old { return .unchanged }
            lines[index] = .peer(new, text: new.description)
            return .changed(old)
        }
        lines.append(.peer(peer, text: peer.description))
        return .added
    }

    /// Removes the peers that `isGone` selects, and returns them.
    package mutating func remove(where isGone: (PeerLine) -> Bool) -> [PeerLine] {
        let gone = peers.filter(isGone)
        lines.removeAll { line in
            guard case .peer(let peer, _) = line else { return false }
            return isGone(peer)
        }
        return gone
    }
}
