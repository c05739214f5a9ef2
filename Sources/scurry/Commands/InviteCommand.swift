// scurry invite [--address HOST:PORT] [--qr] [--json]

import ArgumentParser
import Entries
import Sync
import Storage
import Transport

struct InviteCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Print one line, and a QR code, by which a friend joins you.",
        usage: "scurry invite [--address HOST:PORT] [--qr] [--json]",
        discussion: """
            The line names this node, where it listens, and the network; scurry join takes it and needs to ask nothing. \
            The address is the likeliest one of this machine; --address gives another, as a name or behind a router, \
            with the port where this node listens unless it names one. \
            Of a private network it holds the secret too.

            Example:
              scurry invite --address oak.example.edu:7776
            """
    )

    @Option(name: .long, help: ArgumentHelp("Where a friend reaches this node.", valueName: "host:port"))
    var address: String?

    @Flag(name: .long, help: "Draw the QR code also where there is no terminal.")
    var qr = false

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let (keys, secret) = try Problems.naming { () throws(HomeError) in (try home.keys(), try home.secret()) }
        let glance = NodeGlance(of: home)
        try requireOwnKey(home, glance, keys)
        let (place, others) = try places(home, glance)
        let invite = Invite(node: keys.nodeID, address: place, networkName: home.networkName, secret: secret)
        switch reading.form {
        case .json:
            try console.out.write(
                JSONObject([
                    "id": .string(keys.nodeID.description),
                    "invite": .string(invite.text),
                    "node": .string(keys.nodeID.description),
                    "address": .string(place.text),
                    "network": .string(home.networkName),
                    "private": .bool(secret != nil),
                ])
            )
        case .text:
            // On one line whatever its length, so that it can be copied.
            try console.out.write(StyledLine(SafeText(line: invite.text)))
            if qr || console.out.stream.isTerminal { try draw(invite.text, on: console) }
        }
        if secret != nil {
            console.tell("warning: it holds the secret of the network: whoever gets this line is in")
            // Other users of a machine can read a command's arguments.
            console.tell("on a machine with other users it is pasted: scurry join -")
        }
        if ["127.0.0.1", "::1", "localhost"].contains(place.host) {
            console.tell("warning: only this machine can call \(place.host); see scurry run --listen")
        }
        if !others.isEmpty { console.tell("other addresses of this machine: \(others.joined(separator: ", "))") }
    }

    /// - Throws: `Failure` 7 for what may be a copy: its node runs under another id, and the invite would lead to the
    ///   other home's node, or to none.
    private func requireOwnKey(_ home: Home, _ glance: NodeGlance, _ keys: HomeKeys) throws(Failure) {
        let isAlias = glance.report.map { $0.node != keys.nodeID.description } ?? false
        let stop = (try? home.storeReader().notedStop()) ?? nil
        guard isAlias || stop?.isOfTwoHomes == true else { return }
        throw Failure(
            .refused,
            "another home may have the key of this one's node: an invite could lead there",
            hint: "scurry status says what to do"
        )
    }

    /// The address of the invite, and other addresses that it could have.
    private func places(_ home: Home, _ glance: NodeGlance) throws(Failure) -> (PeerAddress, [String]) {
        if let address {
            do throws(PeerLineError) {
                return (try PeerLine.address(address, port: port(home, glance)), [])
            } catch {
                throw Failure(
                    .usage,
                    "\(address) is no address: \(error.description)",
                    hint: "scurry invite --address HOST:7776"
                )
            }
        }
        if let failure = glance.answer.failure { throw failure }
        if case .silent(let process) = glance.answer {
            throw Failure(.tryAgain, "the node does not answer", hint: NodeGlance.ending(process))
        }
        guard let listening = glance.report?.listening,
            let bound = try? PeerLine.address(listening)
        else {
            throw Failure(
                .needsPeer,
                "no node runs here that could be called",
                hint: "scurry run, then scurry invite; or scurry invite --address HOST:7776"
            )
        }
        guard ["0.0.0.0", "::"].contains(bound.host) else { return (bound, []) }
        let addresses = LocalAddresses.all()
        guard let best = addresses.first else {
            throw Failure(
                .failure,
                "this machine has no address that others can call",
                hint: "scurry invite --address HOST:\(Int(bound.port))"
            )
        }
        return (PeerAddress(host: best, port: bound.port), Array(addresses.dropFirst()))
    }

    /// The port on which the node listens, or would: used for an address without a port.
    private func port(_ home: Home, _ glance: NodeGlance) -> UInt16 {
        if let listening = glance.report?.listening, let bound = try? PeerLine.address(listening) {
            return bound.port
        }
        let wish = (try? Settings(home.layout)).flatMap { try? ListenAddress(parsing: $0.value(.listen)) }
        guard let wish, wish.port > 0 else { return PeerLine.defaultPort }
        return UInt16(clamping: wish.port)
    }

    private func draw(_ text: String, on console: Console) throws {
        guard let code = QRCode(Array(text.utf8)) else {
            return console.tell("it is too long for a QR code")
        }
        let drawing = QRDrawing(code)
        let letters: Look.Letters = console.out.look.glyphs == .unicode ? .unicode : .ascii
        guard drawing.columns(letters) <= console.out.look.width else {
            return console.tell("the QR code needs \(drawing.columns(letters)) columns")
        }
        try console.out.write(drawing.lines(letters))
    }
}
