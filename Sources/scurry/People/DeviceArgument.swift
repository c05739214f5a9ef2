import ArgumentParser
import Entries
import Storage

/// A device argument: a prefix of its log id, as `id devices` shows it, or of its key.
struct DeviceArgument: ExpressibleByArgument, Hashable, Sendable {
    let typed: String

    init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        typed = argument
    }

    /// Resolves the argument to one device, and the shortest prefix that tells it from the others.
    ///
    /// - Throws: `Failure` 3 for none, or for several, which are listed.
    func resolve(among devices: [DeviceView]) throws(Failure) -> (device: DeviceView, short: SafeText) {
        let shorts = ShortID.prefixes(of: devices.map(\.log.description)).map { SafeText(line: $0) }
        let prefix = typed.lowercased()
        let found = zip(devices, shorts).filter { device, _ in
            device.log.description.hasPrefix(prefix) || device.device.description.hasPrefix(prefix)
        }
        if let only = found.first, found.count == 1 { return (only.0, only.1) }
        let shown = SafeText(line: typed)
        if found.isEmpty {
            throw Failure(
                .notFoundOrAmbiguous,
                "no device of yours that is known here begins with \(shown)",
                hint: "scurry id devices lists them; scurry sync fetches what is missing"
            )
        }
        throw Failure(
            .notFoundOrAmbiguous,
            "\(shown) can mean \(found.count) devices",
            hint: "type as many letters as scurry id devices shows",
            candidates: found.prefix(10).map { device, short in
                "\(short) \(Amount.of(Int(clamping: device.size), "entry", "entries"))"
            }
        )
    }
}
