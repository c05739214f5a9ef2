import Entries
import Sync
import Transport

/// Asks who answers at an address, where `join` would add or keep a line that can't work.
struct AnswerCheck {
    let home: Home
    let address: PeerAddress

    /// How long the own node may take to tell its port: a person waits. A guess.
    private static let patienceMilliseconds: UInt64 = 3_000

    /// The failure of whoever joins this node.
    static let itself = Failure(
        .refused,
        "that is this node itself",
        hint: "scurry status prints what others join"
    )

    /// Refuses the running node's own address: its port, on this machine, where it answers itself.
    ///
    /// An address elsewhere is not asked, since that may take seconds.
    func refuseItself() async throws(Failure) {
        guard isOfThisMachine, isOwnPort, case .itself? = await answer else { return }
        throw AnswerCheck.itself
    }

    /// Refuses an address where another node answers than the one that `listed` names, or that was met there if it
    /// names none.
    func refuseAnother(than listed: PeerLine) async throws(Failure) {
        let known = try? KnownNodes(reading: home.layout.knownNodes)
        guard let trusted = listed.node ?? known?[address], case .node(let found)? = await answer, found != trusted
        else { return }
        let place = SafeText(line: address.text)
        throw Failure(
            .refused,
            "another node answers at \(place) than the one that is listed; nothing was changed",
            hint: "if that is right: scurry join \(found.description)@\(place)",
            candidates: ["listed   \(trusted.description)", "answers  \(found.description)"]
        )
    }

    /// Who answers; nil if this home's keys cannot be used, or too few files may be open.
    private var answer: NodeProbe.Outcome? {
        get async {
            guard (try? ProbeLoop.check()) != nil, let probe = try? NodeProbe(of: home) else { return nil }
            return await probe.ask(address)
        }
    }

    private var isOfThisMachine: Bool {
        let host = address.host.lowercased()
        return NodeMachine.isLoopback(host) || ["0.0.0.0", "::"].contains(host) || LocalAddresses.all().contains(host)
    }

    /// Whether the running node listens on this port, on whatever address.
    private var isOwnPort: Bool {
        let client = ControlClient(home.layout, patience: AnswerCheck.patienceMilliseconds)
        guard case .status(let report)? = try? client.send(.status), let listening = report.listening else {
            return false
        }
        return (try? PeerLine.address(listening))?.port == address.port
    }
}
