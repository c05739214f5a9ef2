internal import Entries
internal import Sodium

/// The bytes of the two key files.
///
/// `node.key`: `"scurry node key\n" ‖ secret 32 ‖ public 32`. `device.key`: `"scurry devicekey" ‖ signing seed 32 ‖
/// sealing secret 32 ‖ certificate and signature 200`. The public parts are there to notice damage.
enum KeyFile {
    private static let nodeMark = Array("scurry node key\n".utf8)
    private static let deviceMark = Array("scurry devicekey".utf8)
    private static let secretBytes = 32

    static func writeNodeKey(_ secret: SecretBytes, to path: String) throws(HomeError) {
        guard let key = AgreementKey(secret: secret) else { preconditionFailure("a channel key has 32 bytes") }
        try write([secret], mark: nodeMark, rest: key.publicKey.bytes, to: path)
    }

    static func readNodeKey(_ path: String) throws(HomeError) -> AgreementKey {
        guard let content = try read(path, mark: nodeMark, secrets: 1, rest: Bytes32.count) else {
            throw .damaged(path)
        }
        guard let secret = content.secrets.first, let key = AgreementKey(secret: secret),
            key.publicKey.bytes == content.rest
        else { throw .damaged(path) }
        return key
    }

    static func writeDeviceKey(
        seed: SecretBytes,
        sealing: SecretBytes,
        certificate: SignedCertificate,
        to path: String
    ) throws(HomeError) {
        try write([seed, sealing], mark: deviceMark, rest: certificate.bytes, to: path)
    }

    /// Nil if there is none. The certificate is verified, so that damage is noticed before anything is signed.
    static func readDeviceKey(_ path: String, network: NetworkID) throws(HomeError) -> DeviceKey? {
        guard let content = try read(path, mark: deviceMark, secrets: 2, rest: SignedCertificate.count) else {
            return nil
        }
        guard let seed = content.secrets.first, let sealingSecret = content.secrets.last,
            let signing = SigningKey(seed: seed), let sealing = AgreementKey(secret: sealingSecret),
            let certificate = try? SignedCertificate(verifying: content.rest, network: network),
            certificate.certificate.device.raw == signing.publicKey,
            certificate.certificate.sealingKey == sealing.publicKey
        else { throw .damaged(path) }
        return DeviceKey(signing: signing, sealing: sealing, certificate: certificate)
    }

    /// Puts the parts together in guarded memory and writes them from there.
    private static func write(
        _ secrets: [SecretBytes],
        mark: [UInt8],
        rest: [UInt8],
        to path: String
    ) throws(HomeError) {
        let content = SecretBytes(count: mark.count + secrets.count * secretBytes + rest.count) { target in
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

    /// Reads into guarded memory and takes it apart there; nil if there is no such file.
    private static func read(
        _ path: String,
        mark: [UInt8],
        secrets: Int,
        rest: Int
    ) throws(HomeError) -> (secrets: [SecretBytes], rest: [UInt8])? {
        let count = mark.count + secrets * secretBytes + rest
        let content: SecretBytes
        do {
            let file = try OpenFile(path, for: .read)
            try Privacy.checkSecret(file)
            guard try file.facts().size == count else { throw HomeError.damaged(path) }
            content = try SecretBytes(count: count) { buffer throws(SystemError) in
                _ = try file.read(into: buffer)
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
        return try content.withUnsafeBytes { bytes in
            Result { () throws(HomeError) in
                guard bytes.prefix(mark.count).elementsEqual(mark) else { throw .damaged(path) }
                let parts = (0..<secrets).map { index in
                    let start = mark.count + index * secretBytes
                    return SecretBytes(count: secretBytes) { target in
                        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + secretBytes]))
                    }
                }
                return (parts, Array(bytes.suffix(rest)))
            }
        }.get()
    }
}
