/// A file of a home by the name that it has in a backup.
struct BackupPlace: Hashable {
    enum Content: Hashable {
        case file
        /// Databases, copied as one moment of them.
        case store
        case reader
    }

    let name: String
    let content: Content

    static let network = "network"
    private static let store = "store.sqlite"
    private static let nodeKey = "keys/node.key"

    /// Without these there is no home.
    static let required: Set = [network, store, nodeKey]

    /// Nil for a name that no backup of this program has; so nothing is written elsewhere than in a home.
    init?(named name: String) {
        self.name = name
        switch name {
        case Self.store: content = .store
        case "reader.sqlite": content = .reader
        case Self.network, "peers", "config", "known_nodes", "learned_peers": content = .file
        default:
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, ["keys", "drafts"].contains(parts[0]), Self.isPlain(parts[1]),
                !(parts[0] == "keys" && parts[1].hasPrefix("device.key"))
            else { return nil }
            content = .file
        }
    }

    /// All that a home has, the device key excepted.
    static func all(in layout: HomeLayout) throws(SystemError) -> [BackupPlace] {
        var names = [network, store, "reader.sqlite", "peers", "config", "known_nodes", "learned_peers"]
        for (folder, path) in [("keys", layout.keys), ("drafts", layout.drafts)] where FileSystem.exists(path) {
            names += try FileSystem.names(in: path).sorted().map { folder + "/" + $0 }
        }
        return names.compactMap { BackupPlace(named: $0) }
    }

    func path(_ layout: HomeLayout) -> String {
        switch name {
        case "peers": layout.peers
        case "config": layout.config
        default: layout.data + "/" + name
        }
    }

    private static func isPlain(_ name: Substring) -> Bool {
        !name.isEmpty && !name.hasPrefix(".")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
