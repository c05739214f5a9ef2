#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import ArgumentParser
import Sodium

/// The source of a passphrase: the terminal or a file; never an argument, which every user of the machine can read.
struct PassphraseOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read it from the first line of this file, mode 0600; - is standard input.",
            valueName: "file"
        )
    )
    var passphraseFile: String?
}

/// Reads a passphrase into guarded memory.
struct Passphrase {
    /// Upper bound of a passphrase, in bytes: nobody types more.
    static let bytesAtMost = 1_024
    private static let excess: SafeText = "is longer than 1,024 bytes"
    /// Lower bound of a new passphrase, in bytes: a shorter one can be guessed, whatever a guess costs.
    static let bytesAtLeast = 8

    let file: String?
    let console: Console
    /// The command for hints, where nobody can be asked.
    let command: SafeText

    /// Reads the passphrase that is set.
    func known() throws(Failure) -> SecretBytes {
        if let file { return try read(file) }
        guard console.asking == .allowed else {
            throw Failure(.locked, "nobody can be asked for the passphrase", hint: "\(command) --passphrase-file FILE")
        }
        return try typed("passphrase: ")
    }

    /// Reads a new passphrase; twice on a terminal.
    func fresh() throws(Failure) -> SecretBytes {
        if let file {
            let secret = try read(file)
            if let fault = Self.fault(in: secret) { throw Failure(.usage, fault, hint: "\(command) -h") }
            return secret
        }
        guard console.asking == .allowed else {
            throw Failure(.usage, "this home has no passphrase yet", hint: "\(command) --passphrase-file FILE")
        }
        while true {
            let first = try typed("new passphrase: ")
            if let fault = Self.fault(in: first) {
                console.tell(fault)
                continue
            }
            if try typed("again: ").isEqual(to: first) { return first }
            console.tell("the two are not the same")
        }
    }

    private static func fault(in secret: SecretBytes) -> SafeText? {
        secret.count < bytesAtLeast ? "a passphrase has at least \(bytesAtLeast) bytes" : nil
    }

    private func typed(_ question: SafeText) throws(Failure) -> SecretBytes {
        let shown = Array(StyledLine(question).text(console.err.look).utf8)
        do throws(SecretLine.Fault) {
            if let secret = try SilentTyping.line(shown, limit: Self.bytesAtMost) { return secret }
        } catch {
            switch error {
            case .tooLong: throw Failure(.usage, "the passphrase \(Self.excess)", hint: command)
            case .unreadable(let code): throw SecretFile.unreadable("the terminal", code, hint: command)
            }
        }
        throw Failure(.usage, "no passphrase was given", hint: command)
    }

    /// The first line of a file that nobody else can read, of a pipe, or of standard input.
    private func read(_ path: String) throws(Failure) -> SecretBytes {
        let shown = SafeText(line: path)
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw SecretFile.unreadable(shown, errno, hint: "ls -l \(SecretFile.word(path))")
        }
        defer { if descriptor > 0 { close(descriptor) } }
        try SecretFile.refuseExposed(descriptor, path)
        do throws(SecretLine.Fault) {
            let secret = try SecretLine.read(from: descriptor, limit: Self.bytesAtMost)
            if let secret, secret.count > 0 { return secret }
        } catch {
            switch error {
            case .tooLong:
                throw Failure(.usage, "the passphrase in \(shown) \(Self.excess)", hint: "\(command) -h")
            case .unreadable(let code):
                throw SecretFile.unreadable(shown, code, hint: "ls -l \(SecretFile.word(path))")
            }
        }
        throw Failure(.usage, "\(shown) holds no passphrase in its first line", hint: "\(command) -h")
    }
}
