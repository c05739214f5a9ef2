// scurry join [NODEID@]HOST[:PORT]|INVITE|- [--trust] [--name N]

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
        let typed = try text(on: console)
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
            guard let invite = try? Invite(parsing: address) else { throw error }
            let secret: SafeText = invite.secret == nil ? "" : " --secret-file FILE, the invite in FILE"
            throw Failure(
                error.code,
                error.message,
                hint: "scurry init --name NAME --network \(invite.networkName)\(secret)"
            )
        }
    }

    private func text(on console: Console) throws(Failure) -> String {
        guard address == "-" else { return address }
        let line = readLine(strippingNewline: true)?.split(whereSeparator: \.isWhitespace).first
        guard let line else { throw Failure(.usage, "standard input holds no address", hint: "scurry join -h") }
        return String(line)
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
            // The file may hold the invite itself.
            let file: SafeText = invite.secret == nil ? "makes" : "--secret-file FILE, the invite in FILE, makes"
            throw Failure(
                .refused,
                "this invite is for the \(kind) \(invite.networkName), this home is of \(own)",
                hint: "SCURRY_HOME=DIR scurry init --network \(invite.networkName) \(file) a home for it"
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
            throw Failure(
                .usage,
                "\(address) is no address of a peer: \(error.description)",
                hint: "scurry join [NODEID@]HOST:7776"
            )
        }
    }

    /// The peer that the person confirms, with its key if it answered.
    private func trusted(_ peer: PeerLine, _ home: Home, on console: Console) async throws -> PeerLine {
        if trust { return peer }
        let place = SafeText(line: peer.address.text)
        guard console.asking == .allowed else {
            throw Failure(
                .refused,
                "nobody vouches for the key of \(place)",
                hint: "scurry join NODEID@\(place), or scurry join --trust \(place)"
            )
        }
        do throws(NodeError) { try ProbeLoop.check() } catch { throw NodeTerms.failure(error) }
        let probe = try Problems.naming { () throws(HomeError) in try NodeProbe(of: home) }
        switch await probe.ask(peer.address) {
        case .node(let found):
            console.tell("\(place) answers with the key")
            console.note("  \(found.description)")
            console.tell("Is that what scurry status prints there, before the @?")
            try agree("Trust this key?", place, on: console)
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
            try agree("Trust whoever answers?", place, on: console)
            return peer
        }
    }

    private func agree(_ question: SafeText, _ place: SafeText, on console: Console) throws(Failure) {
        guard Question.isAgreed(question, on: console) else {
            throw Failure(.refused, "nothing was added", hint: "scurry join NODEID@\(place)")
        }
    }
}
