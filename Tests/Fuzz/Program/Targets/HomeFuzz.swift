internal import Entries
internal import Sodium
@testable internal import Storage
@testable internal import Transport

/// The small files of a home, which people edit, restore and copy: what is read is written so that it reads as the
/// same.
enum HomeFuzz {
    private static let network = NetworkID(name: "campus")
    private static let file = ScratchFile("file")

    static func run(_ input: inout FuzzInput) {
        switch input.byte() % 9 {
        case 0: settings(input.text())
        case 1: words(input.text())
        case 2: _ = try? ListenAddress(parsing: input.text())
        case 3: witness(input.all())
        case 4: witness(summed(input.text()))
        case 5: backup(input.all())
        case 6: backup(records(&input))
        case 7: keys(input.all())
        default: known(input.all())
        }
    }

    private static func settings(_ text: String) {
        var file = SettingsFile(parsing: text)
        if SettingsFile(parsing: file.text) != file { broken("settings change when they are written") }
        guard let first = file.settings.first else { return }
        let bad = file.badLines.count
        try? file.set(first.key, to: "on")
        let again = SettingsFile(parsing: file.text)
        guard again.settings.filter({ $0.key == first.key }).map(\.value) == ["on"] else {
            broken("a value is not there")
        }
        if again.badLines.count != bad { broken("a line that cannot be read was not kept") }
        _ = file.unset(first.key)
        if SettingsFile(parsing: file.text).settings.contains(where: { $0.key == first.key }) {
            broken("a removed setting is there")
        }
    }

    private static func words(_ text: String) {
        guard let words = try? RecoveryWords(parsing: text) else { return }
        guard let again = try? RecoveryWords(parsing: words.words.joined(separator: " ")), again.words == words.words
        else { broken("words that are not the same") }
    }

    private static func witness(_ bytes: [UInt8]) {
        guard let witness = WitnessedLog(decoding: bytes) else { return }
        let written = witness.encode()
        if WitnessedLog(decoding: written) != witness { broken("what was written reads as something else") }
    }

    private static func summed(_ text: String) -> [UInt8] {
        let lines = ("scurry witness 1\n" + text).split(separator: "\n").prefix(5)
        let body = lines.map { $0 + "\n" }.joined()
        return Array((body + Hashing.witness(body) + "\n").utf8)
    }

    private static func backup(_ bytes: [UInt8]) {
        file.write(bytes)
        guard var reader = try? BackupReader(file.path) else { return }
        var written = BackupFile.mark.count
        while let item = try? reader.next() {
            switch item {
            case .file(let name, _):
                written += 37 + 8
                if let place = BackupPlace(named: name) {
                    let path = place.path(HomeLayout(directory: "/home"))
                    // Two dots within a name lead nowhere.
                    if !path.hasPrefix("/home/") || path.split(separator: "/").contains("..") {
                        broken("a file outside of the home: \(path)")
                    }
                }
            case .piece(let piece): written += 37 + piece.count
            case .end: return
            }
            if written > bytes.count { broken("more was read than there is") }
        }
    }

    /// Records with the hashes that they should have.
    private static func records(_ input: inout FuzzInput) -> [UInt8] {
        var bytes = BackupFile.mark
        var last = Bytes32()
        while !input.isAtEnd {
            guard let kind = BackupFile.Kind(rawValue: 1 + input.byte() % 3) else { continue }
            let content = input.take(input.short())
            last = BackupFile.hash(last, kind, content)
            var record = ByteWriter()
            record.append(kind.rawValue)
            record.append(UInt32(content.count))
            record.append(content)
            record.append(last)
            bytes += record.bytes
        }
        return bytes
    }

    private static func keys(_ bytes: [UInt8]) {
        file.write(bytes)
        _ = try? KeyFile.readNodeKey(file.path)
        _ = try? DeviceKeyFile.read(file.path, network: network)
        _ = try? NetworkSecretFile.read(file.path, network: network)
        // The hash of a locked key, which the fuzzer does not find.
        guard bytes.count >= DeviceKeyFile.lockedBytes - Bytes32.count else { return }
        let body = DeviceKeyFile.lockedMark + bytes.dropFirst(DeviceKeyFile.markBytes)
        let whole = body.prefix(DeviceKeyFile.lockedBytes - Bytes32.count)
        file.write(whole + SHA256.hash(Array(whole)).bytes)
        _ = try? DeviceKeyFile.read(file.path, network: network)
    }

    private static func known(_ bytes: [UInt8]) {
        file.write(bytes)
        guard let known = try? KnownNodes(reading: file.path) else { return }
        file.write(Array(known.text.utf8))
        if (try? KnownNodes(reading: file.path)) != known { broken("what was written reads as something else") }
    }
}

extension FuzzInput {
    mutating func text() -> String { String(decoding: all(), as: UTF8.self) }
}
