internal import Entries
internal import Sodium

/// The opened device key in a memory file system: `unlock` writes it and `lock` wipes it; it outlives the node, but not
/// a reboot.
struct OpenedKey {
    private let layout: HomeLayout

    init(_ layout: HomeLayout) {
        self.layout = layout
    }

    private var places: OpenedPlaces { OpenedPlaces(layout) }

    /// The key in the first usable place; nil if there is none for this certificate. A file that others could access is
    /// ignored.
    func read(certificate: SignedCertificate, network: NetworkID) -> DeviceSecrets? {
        for place in places.all {
            guard let directory = place.usableDirectory,
                let content = try? KeyFile.read(layout.openedKey(in: directory)),
                content.hasPrefix(DeviceKeyFile.openMark),
                let secrets = DeviceSecrets(content, network: network), secrets.certificate == certificate
            else { continue }
            return secrets
        }
        return nil
    }

    enum Outcome: Hashable {
        case written
        /// No memory file system here has a directory for this user alone.
        case nowhere
    }

    func write(_ secrets: DeviceSecrets) throws(HomeError) -> Outcome {
        for place in layout.memory {
            guard let directory = place.make() else { continue }
            // First, so that no key is anywhere that `wipe` does not look.
            try places.note(place)
            try DeviceKeyFile.write(secrets, to: layout.openedKey(in: directory))
            return .written
        }
        return .nowhere
    }

    /// Overwrites and removes the opened key in all places, with the leftovers of an `unlock` that was killed; true if
    /// there was one. The caller holds the `KeyTurn`.
    func wipe() throws(HomeError) -> Bool {
        var wasThere = false
        var wiped: [MemoryPlace] = []
        for place in places.all where place.isOwn {
            let path = layout.openedKey(in: place.directory)
            try HomeError.wrap { () throws(SystemError) in
                for name in try FileSystem.names(in: place.directory) {
                    let file = "\(place.directory)/\(name)"
                    guard file.hasPrefix(path) else { continue }
                    if file == path { wasThere = true }
                    try FileSystem.wipe(file)
                }
            }
            wiped.append(place)
        }
        try places.forget(wiped)
        return wasThere
    }
}
