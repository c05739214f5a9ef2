// scurry join [NODEID@]HOST[:PORT]|INVITE|- [--trust] [--name N]

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import ArgumentParser
import Entries
import Sodium
import Sync
import Transport

struct JoinCommand: WaitingCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Add a peer: the node calls it from now on.",
        usage: "scurry join [NODEID@]HOST[:PORT]|INVITE|- [--trust] [--name N]",
        discussion: """
            NODEID@HOST:PORT is what scurry status prints on the other machine. With a bare address you are shown the \
            key that answers there, and asked; in a script --trust takes whoever answers first, and refuses anybody \
            else later. The port is 7776 unless another one is given. An invite, as scurry invite prints it, brings the \
            key along, and the secret of a private network: - reads it from standard input, where no list of processes \
            shows it.

            Example:
              scurry join oak.example.edu:7776
            """
    )

    @Argument(help: ArgumentHelp("The peer: [NODEID@]HOST[:PORT], or an invite.", valueName: "address"))
    var address: String

    @Flag(name: .long, help: "Trust whoever answers there first.")
    var trust = false

    @Option(name: .long, help: ArgumentHelp("A note for yourself in the peers file.", valueName: "n"))
    var name: String?

    @OptionGroup var common: CommonOptions

    func run(on console: Console) async throws {
        let home = try home(on: console)
        let typed = try text()
        var peer = typed.hasPrefix(Invite.prefix) ? try invited(typed, to: home) : try parse(typed)
        if let own = try? home.keys().nodeID, peer.node == own { throw AnswerCheck.itself }
        let check = AnswerCheck(home: home, address: peer.address)
        if peer.node == nil { try await check.refuseItself() }
        let file = try Problems.naming { () throws(SystemError) in try home.peersFile() }
        let listed = file.peers.first { $0.address == peer.address }
        if peer.node == nil, listed == nil { peer = try await trusted(peer, home, on: console) }
        let vouched = peer
        let addition = try Problems.naming { () throws(HomeError) in try home.join(vouched) }
        // Before the check below, which may take seconds where nobody answers.
        let hearing = NodeNotice.peersChanged(home)
        if let listed, peer.node == nil, addition == .unchanged { try await check.refuseAnother(than: listed) }
        let place = SafeText(line: peer.address.text)
        let verb: SafeText =
            switch addition {
            case .added: "added \(place)"
            case .changed: "changed \(place)"
            case .unchanged: "\(place) was there already"
            }
        if case .changed(let old) = addition, let before = old.node, let now = peer.node, before != now {
            console.tell("warning: another key is trusted at \(place) from now on; until now it was")
            console.note("  \(before.description)")
        }
        if let failure = NodeNotice.failure(hearing, .tryAgain, done: verb, "does not call it yet") { throw failure }
        console.tell(
            hearing == .heard
                ? "\(verb); the node calls it now: scurry peers" : "\(verb); called when the node runs: scurry run"
        )
    }

    /// The home that joins; where there is none, the hint makes one of the network that an invite names: a home's
    /// network never changes.
    private func home(on console: Console) throws(Failure) -> Home {
        if let home = try HomeDoor.openIfMade(console.environment) { return home }
        do throws(Failure) {
            return try HomeDoor.open(console.environment)
        } catch {
            // Nobody is to type an invite in vain.
            let isTyped = address == "-" && Descriptor.standardInput.isTerminal
            guard !isTyped, let typed = try? text(), let invite = try? Invite(parsing: typed) else { throw error }
            // An invite with a secret names the network by itself, and is to stay out of the list of processes.
            let option =
                invite.secret == nil
                ? ShellWord.option("--network", invite.networkName) : "--secret-file FILE, the invite in FILE"
            throw Failure(error.code, error.message, hint: "scurry init --name NAME \(option)")
        }
    }

    /// Bytes of a line that are read at most: more than any invite has, with the longest secret.
    private static let lineBytesAtMost = 4_096

    /// The argument, or the first word in the first line of standard input.
    private func text() throws(Failure) -> String {
        guard address == "-" else { return address }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: Self.lineBytesAtMost)
        while !bytes.contains(0x0A), bytes.count < Self.lineBytesAtMost {
            let (count, code) = buffer.withUnsafeMutableBytes { (Descriptor.standardInput.read(into: $0), errno) }
            guard count >= 0 else {
                throw Failure(
                    .failure,
                    "cannot read standard input: \(Descriptor.reason(code))",
                    hint: "scurry join - < FILE, with the invite in FILE"
                )
            }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        guard let word = line.split(whereSeparator: \.isWhitespace).first else {
            throw Failure(.usage, "standard input holds no address", hint: "scurry join -h")
        }
        return String(word)
    }

    private var note: String? {
        let note = name?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return note.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The peer that an invite names; refused if it is for another network.
    private func invited(_ text: String, to home: Home) throws(Failure) -> PeerLine {
        let invite: Invite
        do throws(InviteError) {
            invite = try Invite(parsing: text)
        } catch {
            throw Failure(.usage, SafeText(line: error.description), hint: "ask for the whole line of scurry invite")
        }
        let secret = try Problems.naming { () throws(HomeError) in try home.secret() }
        let isSecretOurs: Bool =
            switch (invite.secret, secret) {
            case (nil, nil): true
            case (let theirs?, let ours?): theirs.bytes.isEqual(to: ours.bytes)
            case (nil, _?), (_?, nil): false
            }
        guard invite.networkName == home.networkName, isSecretOurs else {
            let kind = invite.secret == nil ? "network" : "private network"
            let own: SafeText =
                invite.networkName == home.networkName && invite.secret != nil && secret != nil
                ? "one of that name with another secret" : "the \(home.networkTerm)"
            let network = ShellWord.option("--network", invite.networkName)
            // The file may hold the invite itself.
            let file: SafeText = invite.secret == nil ? "makes" : "--secret-file FILE, the invite in FILE, makes"
            throw Failure(
                .refused,
                "this invite is for the \(kind) \(invite.networkName), this home is of \(own)",
                hint: "SCURRY_HOME=DIR scurry init \(network) \(file) a home for it"
            )
        }
        return PeerLine(node: invite.node, address: invite.address, name: note)
    }

    private func parse(_ address: String) throws(Failure) -> PeerLine {
        do throws(PeerLineError) {
            let line = try PeerLine(parsing: address)
            guard line.name == nil else { throw PeerLineError.moreThanOneWord }
            return PeerLine(node: line.node, address: line.address, name: note)
        } catch {
            if address.lowercased().contains(Invite.prefix) { throw SecretFile.noInvite }
            if let host = Self.host(ofURL: address) {
                throw Failure(
                    .usage,
                    "an address is HOST or HOST:PORT, and no URL",
                    hint: "scurry join \(ShellWord.quoted(host))"
                )
            }
            throw Failure(
                .usage,
                "\(Self.shown(address)) is no address of a peer: \(error.description)",
                hint: "scurry join [NODEID@]HOST:7776"
            )
        }
    }

    /// Bytes of an address at most: a node's id, `@`, a host of 253 bytes, and a port, or what passes for one.
    private static let addressBytesAtMost = 320

    /// What was given for an address, for a message; a part of an invite may hold the secret of a network, and is not
    /// repeated.
    private static func shown(_ address: String) -> SafeText {
        address.utf8.count > addressBytesAtMost || address.contains("/") ? "this" : SafeText(line: address)
    }

    /// The host that a URL names, `HOST` if it is none; without the port, which is that of another program. Nil: the
    /// text is no URL.
    private static func host(ofURL text: String) -> String? {
        guard let scheme = text.firstRange(of: "://") else { return nil }
        let place = text[scheme.upperBound...].prefix { !"/?#".contains($0) }
        let name = (place.split(separator: "@").last ?? "").prefix { $0 != ":" }
        return (try? PeerLine.address(name))?.host ?? "HOST"
    }

    /// The peer that the person confirms, with its key if it answered.
    private func trusted(_ peer: PeerLine, _ home: Home, on console: Console) async throws -> PeerLine {
        if trust { return peer }
        let place = SafeText(line: peer.address.text)
        guard console.asking == .allowed else {
            let typed = ShellWord.quoted(peer.address.text)
            throw Failure(
                .refused,
                "nobody vouches for the key of \(place)",
                hint: "scurry join NODEID@\(typed), or scurry join --trust \(typed)"
            )
        }
        do throws(NodeError) { try ProbeLoop.check() } catch { throw NodeTerms.failure(error) }
        let probe = try Problems.naming { () throws(HomeError) in try NodeProbe(of: home) }
        switch await probe.ask(peer.address) {
        case .node(let found):
            console.tell("\(place) answers with the key")
            console.note("  \(found.description)")
            console.tell("Is that what scurry status prints there, before the @?")
            try agree("Trust this key?", on: console)
            return PeerLine(node: found, address: peer.address, name: peer.name)
        case .itself: throw AnswerCheck.itself
        case .stranger:
            throw Failure(
                .refused,
                "what answers at \(place) is no node of the network \(SafeText(line: home.networkName))",
                hint: "scurry whoami, here and there, names the network"
            )
        case .silent:
            throw Failure(
                .tryAgain,
                "\(place) takes the call and says nothing: a node that hangs, another network, or another program",
                hint: NodeTerms.silenceHelp
            )
        case .unreachable(let failure):
            console.tell("\(place) cannot be reached now: \(failure.words). Whoever answers there first is remembered.")
            console.tell("Safer: ask for the address that scurry status prints there, NODEID@\(place).")
            try agree("Trust whoever answers?", on: console)
            return peer
        }
    }

    private func agree(_ question: SafeText, on console: Console) throws(Declined) {
        guard Question.isAgreed(question, on: console) else { throw Declined(outcome: "nothing was added") }
    }
}
