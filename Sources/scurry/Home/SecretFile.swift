#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Sodium
import Transport

/// A file with a network's secret, or with an invite that holds one; readable by this user alone, without its last line
/// break.
struct SecretFile {
    let path: String

    private var shown: SafeText { SafeText(line: path) }

    /// - Throws: `Failure` for a file that others can read, and for a secret that is too short, too long or nothing but
    ///   white space.
    func secret(of network: String) throws(Failure) -> NetworkSecret {
        let bytes = try read()
        if bytes.withUnsafeBytes({ $0.starts(with: Invite.prefix.utf8) }) { return try invited(bytes, network) }
        guard let secret = NetworkSecret(bytes) else {
            let range = NetworkSecret.countRange
            throw Failure(
                .usage,
                "a network's secret has \(range.lowerBound) to \(range.upperBound) bytes; \(shown) holds \(bytes.count)",
                hint: "(umask 077; head -c 30 /dev/urandom | base64 > \(shown)) makes one"
            )
        }
        guard bytes.withUnsafeBytes({ !$0.allSatisfy(SecretFile.isWhite) }) else {
            throw Failure(
                .usage,
                "\(shown) holds nothing but white space: that is no secret",
                hint: "(umask 077; head -c 30 /dev/urandom | base64 > \(shown)) makes one"
            )
        }
        return secret
    }

    /// A blank of ASCII, or NUL, which a file full of nothing has.
    private static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0 || (0x09...0x0D).contains(byte) }

    private func invited(_ bytes: SecretBytes, _ network: String) throws(Failure) -> NetworkSecret {
        let invite: Invite
        do throws(InviteError) {
            invite = try Invite(parsing: bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } catch {
            throw Failure(.usage, SafeText(line: error.description), hint: "ask for the whole line of scurry invite")
        }
        guard let secret = invite.secret, invite.networkName == network else {
            let isOpen = invite.secret == nil
            throw Failure(
                .refused,
                isOpen
                    ? "the invite in \(shown) holds no secret: its network is open"
                    : "the invite in \(shown) is for the network \(invite.networkName)",
                hint: isOpen
                    ? "scurry init --network \(invite.networkName)"
                    : "scurry init --network \(invite.networkName) --secret-file \(shown)"
            )
        }
        return secret
    }

    private func read() throws(Failure) -> SecretBytes {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretFile.unreadable(shown, errno, hint: "ls -l \(shown)")
        }
        defer { if descriptor > 0 { close(descriptor) } }
        try SecretFile.refuseExposed(descriptor, shown)
        // Upper bound of an invite, which holds the secret in base32 and an address.
        let limit = 2 * NetworkSecret.countRange.upperBound + 512
        var count = 0
        var code: Int32?
        let buffer = SecretBytes(count: limit) { target in
            while count < limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: target[count...])
                let got = Descriptor(number: descriptor).read(into: rest)
                if got < 0 { code = errno }
                guard got > 0 else { return }
                count += got
            }
        }
        if let code { throw SecretFile.unreadable(shown, code, hint: "ls -l \(shown)") }
        // One line end, LF or CR LF, is not part of it (`protocol/channel.md` §2); a CR alone is.
        for ending in [0x0A, 0x0D] as [UInt8] {
            guard count > 0, buffer.withUnsafeBytes({ $0[count - 1] }) == ending else { break }
            count -= 1
        }
        return buffer.part(0..<count)
    }

    /// The failure for a file that cannot be opened, by `errno`; an absent file is `notFoundOrAmbiguous`.
    static func unreadable(_ shown: SafeText, _ code: Int32, hint: SafeText) -> Failure {
        let failure: ExitCode = code == ENOENT ? .notFoundOrAmbiguous : .failure
        return Failure(failure, "cannot read \(shown): \(Descriptor.reason(code))", hint: hint)
    }

    /// - Throws: `Failure` for an ordinary file that other users can read or write.
    static func refuseExposed(_ descriptor: Int32, _ shown: SafeText) throws(Failure) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 else {
            return
        }
        throw Failure(.failure, "other users can get at \(shown)", hint: "chmod 600 \(shown)")
    }
}
