internal import Entries
internal import Sodium

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The format of `node.key`, and functions for all key files.
///
/// `node.key`: `"scurry node key\n" ‖ secret 32 ‖ public 32`; never under a passphrase, since a locked node still
/// relays. The public half detects damage. `device.key` is a `DeviceKeyFile`.
enum KeyFile {
    private static let nodeMark = Array("scurry node key\n".utf8)
    private static let secretBytes = 32

    static func writeNodeKey(_ secret: SecretBytes, to path: String) throws(HomeError) {
        guard let key = AgreementKey(secret: secret) else { preconditionFailure("a channel key has 32 bytes") }
        try write([secret], mark: nodeMark, rest: key.publicKey.bytes, to: path)
    }

    /// Replaces the file, if there is one, and overwrites the old one's bytes; copies that a disk keeps are out of
    /// reach.
    static func replaceNodeKey(_ secret: SecretBytes, at path: String) throws(HomeError) {
        guard FileSystem.facts(ofItself: path) != nil else { return try writeNodeKey(secret, to: path) }
        // Opened before the rename, which takes its name away.
        let old = try HomeError.wrap { () throws(SystemError) in try FileSystem.openToWipe(path) }
        try writeNodeKey(secret, to: path)
        try HomeError.wrap { () throws(SystemError) in try old.wipe() }
    }

    /// - Throws: `.missing` if there is no file, as every home has one; what `read` throws; and `.damaged`.
    static func readNodeKey(_ path: String) throws(HomeError) -> AgreementKey {
        let start = nodeMark.count
        guard let content = try read(path) else { throw .missing(path) }
        guard content.count == start + secretBytes + Bytes32.count,
            content.hasPrefix(nodeMark), let key = AgreementKey(secret: content.part(start..<start + secretBytes)),
            key.publicKey.bytes == content.bytes(start + secretBytes..<content.count)
        else { throw .damaged(path) }
        return key
    }

    /// Joins the parts in guarded memory and writes them from there.
    static func write(
        _ secrets: [SecretBytes],
        mark: [UInt8],
        rest: [UInt8],
        to path: String
    ) throws(HomeError) {
        let content = SecretBytes(count: mark.count + secrets.reduce(0) { $0 + $1.count } + rest.count) { target in
            var end = 0
            let put = { (bytes: UnsafeRawBufferPointer) in
                UnsafeMutableRawBufferPointer(rebasing: target[end...]).copyMemory(from: bytes)
                end += bytes.count
            }
            mark.withUnsafeBytes(put)
            for secret in secrets { secret.withUnsafeBytes(put) }
            rest.withUnsafeBytes(put)
        }
        do throws(SystemError) {
            try content.withUnsafeBytes { bytes in
                Result { () throws(SystemError) in try FileSystem.replace(path, with: bytes) }
            }.get()
        } catch {
            throw .system(error)
        }
    }

    /// Reads the whole file into guarded memory; nil if there is none.
    ///
    /// - Throws: `.system` for what is no file; `.exposed`, `.foreignOwner`; `.damaged` for more than `maximumBytes`.
    static func read(_ path: String) throws(HomeError) -> SecretBytes? {
        do {
            let file = try OpenFile(path, for: .read)
            try Privacy.checkSecret(file)
            let size = try file.facts().size
            guard size <= maximumBytes else { throw HomeError.damaged(path) }
            return try SecretBytes(count: size) { buffer throws(SystemError) in
                guard try file.read(into: buffer) == size else {
                    throw SystemError(call: "read", path: path, code: EIO)
                }
            }
        } catch let error as SystemError where error.isAbsence {
            return nil
        } catch let error as SystemError {
            throw .system(error)
        } catch let error as HomeError {
            throw error
        } catch {
            throw .damaged(path)
        }
    }

    /// Bound of a key file's size.
    private static let maximumBytes = 4_096
}

extension SecretBytes {
    func hasPrefix(_ mark: [UInt8]) -> Bool {
        withUnsafeBytes { $0.starts(with: mark) }
    }

    /// The bytes of a range that is not secret.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        withUnsafeBytes { Array($0[range]) }
    }
}
