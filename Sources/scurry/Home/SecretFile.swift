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

    /// A command that makes such a file.
    private var making: SafeText {
        "(umask 077; head -c 30 /dev/urandom | base64 > \(SecretFile.word(path))) makes one"
    }

    /// The failure for an invite with something before it, or in capitals.
    static let noInvite = Failure(
        .usage,
        "this is no invite: one begins with \(Invite.prefix), in small letters, with nothing before it",
        hint: "ask for the whole line of scurry invite"
    )

    /// Reads the secret, or the invite, with white space around it.
    ///
    /// - Parameters:
    ///   - network: the network that was typed; nil: the invite's, else the usual one.
    ///   - command: the command with its other options, for hints.
    /// - Returns: the secret, and the name of its network.
    /// - Throws: `Failure` for a file that others can read, for a secret that is too short, too long or nothing but
    ///   white space, and for an invite that is damaged, of another network than the one typed, or without a secret.
    func secret(of network: String?, command: SafeText) throws(Failure) -> (network: String, secret: NetworkSecret) {
        let bytes = try read()
        if let place = bytes.withUnsafeBytes(SecretFile.placeOfInvite) {
            return try invited(SecretFile.trimmed(bytes, place), network, command)
        }
        guard let secret = NetworkSecret(bytes) else {
            let (least, most) = (NetworkSecret.countRange.lowerBound, NetworkSecret.countRange.upperBound)
            throw Failure(
                .usage,
                "a network's secret has \(least) to \(most) bytes; \(shown) holds \(bytes.count)",
                hint: making
            )
        }
        guard bytes.withUnsafeBytes({ !$0.allSatisfy(SecretFile.isWhite) }) else {
            throw Failure(
                .usage,
                "\(shown) holds nothing but white space: that is no secret",
                hint: making
            )
        }
        return (network ?? Home.usualNetwork, secret)
    }

    /// A blank of ASCII, or NUL, which a file full of nothing has.
    private static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0 || (0x09...0x0D).contains(byte) }

    /// Where an invite begins, in letters of either case; nil: there is none.
    private static func placeOfInvite(in bytes: UnsafeRawBufferPointer) -> Int? {
        let prefix = Array(Invite.prefix.utf8)
        guard bytes.count >= prefix.count else { return nil }
        return (0...bytes.count - prefix.count).first { place in
            // This bit makes a capital small; the colon has it.
            prefix.indices.allSatisfy { bytes[place + $0] | 0x20 == prefix[$0] }
        }
    }

    /// The invite without the white space around it.
    private static func trimmed(_ bytes: SecretBytes, _ place: Int) throws(Failure) -> SecretBytes {
        let end = bytes.withUnsafeBytes { bytes -> Int? in
            guard bytes.prefix(place).allSatisfy(isWhite), bytes.dropFirst(place).starts(with: Invite.prefix.utf8)
            else { return nil }
            return bytes.lastIndex { !isWhite($0) }
        }
        guard let end else { throw noInvite }
        return bytes.part(place..<end + 1)
    }

    private func invited(
        _ bytes: SecretBytes,
        _ network: String?,
        _ command: SafeText
    ) throws(Failure) -> (network: String, secret: NetworkSecret) {
        let invite: Invite
        do throws(InviteError) {
            invite = try Invite(parsing: bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } catch {
            throw Failure(.usage, SafeText(line: error.description), hint: "ask for the whole line of scurry invite")
        }
        // The name is another person's choice.
        let again: SafeText = "\(command) \(ShellWord.option("--network", invite.networkName))"
        guard let secret = invite.secret else {
            throw Failure(.refused, "the invite in \(shown) holds no secret: its network is open", hint: again)
        }
        guard network == nil || network == invite.networkName else {
            throw Failure(
                .refused,
                "the invite in \(shown) is for the network \(invite.networkName)",
                hint: "\(again) \(SecretFile.option("--secret-file", path))"
            )
        }
        return (invite.networkName, secret)
    }

    private func read() throws(Failure) -> SecretBytes {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretFile.unreadable(shown, errno, hint: "ls -l \(SecretFile.word(path))")
        }
        defer { if descriptor > 0 { close(descriptor) } }
        try SecretFile.refuseExposed(descriptor, path)
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
        if let code { throw SecretFile.unreadable(shown, code, hint: "ls -l \(SecretFile.word(path))") }
        // One line end, LF or CR LF, is not part of it (`protocol/channel.md` §2); a CR alone is.
        for ending in [0x0A, 0x0D] as [UInt8] {
            guard count > 0, buffer.withUnsafeBytes({ $0[count - 1] }) == ending else { break }
            count -= 1
        }
        return buffer.part(0..<count)
    }

    /// The path for a command in a hint; standard input has none.
    static func word(_ path: String) -> SafeText { path == "-" ? "FILE" : ShellWord.quoted(path) }

    /// The option with the path, for a command in a hint.
    static func option(_ name: SafeText, _ path: String) -> SafeText {
        path == "-" ? "\(name) FILE" : ShellWord.option(name, path)
    }

    /// The failure for a file that cannot be opened or read, by `errno`; an absent file is `notFoundOrAmbiguous`.
    static func unreadable(_ shown: SafeText, _ code: Int32, hint: SafeText) -> Failure {
        let failure: ExitCode = code == ENOENT ? .notFoundOrAmbiguous : .failure
        return Failure(failure, "cannot read \(shown): \(Descriptor.reason(code))", hint: hint)
    }

    /// - Throws: `Failure` for an ordinary file that other users can read or write.
    static func refuseExposed(_ descriptor: Int32, _ path: String) throws(Failure) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_mode & 0o077 != 0 else {
            return
        }
        throw Failure(.failure, "other users can get at \(SafeText(line: path))", hint: "chmod 600 \(word(path))")
    }
}
