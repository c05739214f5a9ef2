// scurry join [NODEID@]HOST[:PORT] [--trust] [--name N]

import ArgumentParser
import Transport

struct JoinCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Add a peer: the node calls it from now on.",
        usage: "scurry join [NODEID@]HOST[:PORT] [--trust] [--name N]",
        discussion: """
            NODEID@HOST:PORT is what scurry status prints on the other machine. With a bare address whoever answers \
            first is remembered, and anybody else refused later: that needs a yes, or --trust in a script. The port is \
            7776 unless another one is given.

            Example:
              scurry join oak.example.edu:7776
            """
    )

    @Argument(help: ArgumentHelp("The peer: [NODEID@]HOST[:PORT].", valueName: "address"))
    var address: String

    @Flag(name: .long, help: "Trust whoever answers there first.")
    var trust = false

    @Option(name: .long, help: ArgumentHelp("A note for yourself in the peers file.", valueName: "n"))
    var name: String?

    @OptionGroup var common: CommonOptions

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let peer = try parse()
        if let own = try? home.keys().nodeID, peer.node == own {
            throw Failure(.refused, "that is this node itself", hint: "scurry status prints what others join")
        }
        var file = try Problems.naming { () throws(SystemError) in try PeersFile(reading: home.layout.peers) }
        let isKnown = file.peers.contains { $0.address == peer.address }
        if peer.node == nil, !isKnown { try askForTrust(in: peer, on: console) }
        let addition = file.add(peer)
        if addition != .unchanged {
            try Problems.naming { () throws(SystemError) in try file.write(to: home.layout.peers) }
        }
        let place = SafeText(line: peer.address.text)
        let verb: SafeText =
            switch addition {
            case .added: "added \(place)"
            case .changed: "changed \(place)"
            case .unchanged: "\(place) was there already"
            }
        if NodeNotice.peersChanged(home) {
            console.tell("\(verb); the node calls it now: scurry peers")
        } else {
            console.tell("\(verb); called when the node runs: scurry run")
        }
    }

    private func parse() throws(Failure) -> PeerLine {
        do throws(PeerLineError) {
            let line = try PeerLine(parsing: address)
            guard line.name == nil else { throw PeerLineError.moreThanOneWord }
            let note = name?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return PeerLine(node: line.node, address: line.address, name: note.flatMap { $0.isEmpty ? nil : $0 })
        } catch {
            throw Failure(
                .usage,
                "\(address) is no address of a peer: \(error.description)",
                hint: "scurry join [NODEID@]HOST:7776"
            )
        }
    }

    private func askForTrust(in peer: PeerLine, on console: Console) throws(Failure) {
        if trust { return }
        let place = SafeText(line: peer.address.text)
        guard console.asking == .allowed else {
            throw Failure(
                .refused,
                "nobody vouches for the key of \(place)",
                hint: "scurry join NODEID@\(place), or scurry join --trust \(place)"
            )
        }
        console.tell("Nobody vouches for the key of \(place): whoever answers there first is remembered.")
        console.tell("Safer: ask for the address that scurry status prints there, NODEID@\(place).")
        guard Question.isAgreed("Trust whoever answers?", on: console) else {
            throw Failure(.refused, "nothing was added", hint: "scurry join NODEID@\(place)")
        }
    }
}
