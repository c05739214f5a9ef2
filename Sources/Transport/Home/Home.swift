package import Entries

/// Who may join a network.
package enum NetworkAccess: Hashable, Sendable {
    /// Everybody who knows its name.
    case open
    /// Only who knows its secret too.
    case withSecret
}

/// A complete home: opening it checks the owner and permissions and reads the network's name, nothing more.
package struct Home: Hashable, Sendable {
    package let layout: HomeLayout
    package let networkName: String
    /// Whether the network has a secret; fixed for ever, as its name is.
    package let access: NetworkAccess

    package var network: NetworkID { NetworkID(name: networkName) }

    /// Opens the home at a layout's paths.
    ///
    /// - Throws: `.absent`, `.unfinished`, `.foreignOwner`, `.exposed`, `.missing`, `.damaged`, and `.system` where
    ///   access is denied.
    package init(opening layout: HomeLayout) throws(HomeError) {
        let isAbsent = try HomeError.wrap { () throws(SystemError) in try FileSystem.isAbsent(layout.data) }
        guard !isAbsent else { throw .absent(layout.data) }
        try Privacy.checkDirectory(layout.data)
        guard layout.unfinishedMark == nil else { throw .unfinished(layout.data) }
        let bytes = try HomeError.wrap { () throws(SystemError) in
            try FileSystem.read(layout.network, limit: 2 * Self.maximumNetworkNameBytes)
        }
        guard let bytes else {
            let isLost = FileSystem.exists(layout.store) || FileSystem.exists(layout.nodeKey)
            throw isLost ? .missing(layout.network) : .absent(layout.data)
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard lines.last == "", let name = lines.first.flatMap(Self.networkName) else {
            throw .damaged(layout.network)
        }
        switch lines.dropFirst().dropLast() {
        case []: access = .open
        // Recorded here too: a lost secret must not make the network an open one.
        case [Self.privateLine]: access = .withSecret
        default: throw .damaged(layout.network)
        }
        self.layout = layout
        networkName = name
    }

    static let privateLine = "private"

    /// Reads the secret of a private network; nil in an open one.
    ///
    /// - Throws: `.damaged` if it is missing, or of another network.
    package func secret() throws(HomeError) -> NetworkSecret? {
        switch access {
        case .open: nil
        case .withSecret: try NetworkSecretFile.read(layout.networkSecret, network: network)
        }
    }

    package func keys() throws(HomeError) -> HomeKeys {
        try HomeKeys(reading: layout, network: network)
    }

    /// Longest network name in bytes: enough for any name that people say to each other.
    package static let maximumNetworkNameBytes = 64

    /// Returns the name if it is valid: 1 to 64 bytes of printable ASCII without spaces, so that one name has one
    /// spelling.
    package static func networkName(_ text: String) -> String? {
        guard (1...maximumNetworkNameBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
