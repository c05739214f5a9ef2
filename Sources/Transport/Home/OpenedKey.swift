internal import Entries
internal import Sodium

/// The file in memory that `unlock` leaves and `lock` wipes: it outlives the node, and not the machine's next start.
struct OpenedKey {
    private let layout: HomeLayout

    init(_ layout: HomeLayout) {
        self.layout = layout
    }

    /// Nil if there is none, or none that belongs to this certificate; what others could have read or written is none.
    func read(certificate: SignedCertificate, network: NetworkID) -> DeviceSecrets? {
        for place in layout.memory {
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
        /// No directory here keeps a secret off the disk and to this user.
        case nowhere
    }

    func write(_ secrets: DeviceSecrets) throws(HomeError) -> Outcome {
        for place in layout.memory {
            guard let directory = place.make() else { continue }
            try DeviceKeyFile.write(secrets, to: layout.openedKey(in: directory))
            return .written
        }
        return .nowhere
    }

    /// Wherever it lies: overwrites it, then removes it, and what an `unlock` that was killed left of it; true if there was one.
    /// Whoever calls has the `KeyTurn`.
    func wipe() throws(HomeError) -> Bool {
        var wasThere = false
        for place in layout.memory where place.isOwn {
            let path = layout.openedKey(in: place.directory)
            try HomeError.wrap { () throws(SystemError) in
                for name in try FileSystem.names(in: place.directory) {
                    let file = "\(place.directory)/\(name)"
                    guard file.hasPrefix(path) else { continue }
                    if file == path { wasThere = true }
                    try FileSystem.wipe(file)
                }
            }
        }
        return wasThere
    }
}
