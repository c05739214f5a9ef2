/// A home's file by its name in a backup.
struct BackupPlace: Hashable {
    enum Content: Hashable {
        case file
        /// A database, copied as a consistent snapshot.
        case store
        case reader
    }

    let name: String
    let content: Content

    static let network = "network"
    private static let store = "store.sqlite"
    private static let nodeKey = "keys/node.key"
    private static let keys = "keys"
    static let drafts = "drafts"

    /// Files without which a backup is no home.
    static let required: Set = [network, store, nodeKey]

    /// Nil for a name that no backup has, so that nothing is written outside of a home.
    init?(named name: String) {
        self.name = name
        switch name {
        case Self.store: content = .store
        case "reader.sqlite": content = .reader
        case Self.network, "peers", "config", "known_nodes", "learned_peers": content = .file
        default:
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, [Self.keys, Self.drafts].contains(String(parts[0])), Self.isPlain(parts[1]),
                !Self.isOfKey(String(parts[1]), in: String(parts[0]))
            else { return nil }
            content = .file
        }
    }

    /// The home's files without the device key, and the names that a backup cannot hold.
    static func found(in layout: HomeLayout) throws(SystemError) -> (places: [BackupPlace], leftOut: [String]) {
        var places = [network, store, "reader.sqlite", "peers", "config", "known_nodes", "learned_peers"]
            .compactMap { BackupPlace(named: $0) }
        var leftOut: [String] = []
        // Nothing needs the drafts so much that what lies in their place should keep the rest from being saved.
        if layout.hasNoFolder(at: layout.drafts) { leftOut.append(drafts) }
        for (folder, path) in [(keys, layout.keys), (drafts, layout.drafts)]
        where FileSystem.exists(path) && !leftOut.contains(folder) {
            for name in try FileSystem.names(in: path).sorted()
            where !isOfKey(name, in: folder) && !isLock(name) && !FileSystem.isRemains(name) {
                if FileSystem.facts(ofItself: "\(path)/\(name)")?.isRegular == true,
                    let place = BackupPlace(named: "\(folder)/\(name)")
                {
                    places.append(place)
                } else {
                    leftOut.append("\(folder)/\(name)")
                }
            }
        }
        return (places, leftOut)
    }

    private static func isOfKey(_ name: String, in folder: String) -> Bool {
        folder == keys && name.hasPrefix("device.key")
    }

    /// The lock file of a draft that is being written.
    private static func isLock(_ name: String) -> Bool { name.hasSuffix(".lock") }

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
