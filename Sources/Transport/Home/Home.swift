package import Entries

/// A finished home: opening one checks whose it is and reads the name of its network, nothing more.
package struct Home: Hashable, Sendable {
    package let layout: HomeLayout
    package let networkName: String

    package var network: NetworkID { NetworkID(name: networkName) }

    /// Opens the home at its usual places.
    ///
    /// - Throws: `.absent`, `.unfinished`, `.foreignOwner`, `.exposed`, `.damaged`.
    package init(opening layout: HomeLayout) throws(HomeError) {
        guard FileSystem.exists(layout.data) else { throw .absent(layout.data) }
        try Privacy.checkDirectory(layout.data)
        guard !FileSystem.exists(layout.unfinished) else { throw .unfinished(layout.data) }
        let bytes = try HomeError.wrap { () throws(SystemError) in
            try FileSystem.read(layout.network, limit: Self.maximumNetworkNameBytes + 2)
        }
        guard let bytes else { throw .absent(layout.data) }
        guard bytes.last == UInt8(ascii: "\n"),
            let name = Self.networkName(String(decoding: bytes.dropLast(), as: UTF8.self))
        else { throw .damaged(layout.network) }
        self.layout = layout
        networkName = name
    }

    package func keys() throws(HomeError) -> HomeKeys {
        try HomeKeys(reading: layout, network: network)
    }

    /// Long enough for any name that people say to each other.
    package static let maximumNetworkNameBytes = 64

    /// The name if it may be one: 1 to 64 bytes of printable ASCII without spaces, so that one name has one spelling.
    package static func networkName(_ text: String) -> String? {
        guard (1...maximumNetworkNameBytes).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}
