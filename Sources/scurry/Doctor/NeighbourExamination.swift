import Entries
import Sync
import Transport

/// Searches the local network for nodes, and tells "blocked" from "nobody there".
struct NeighbourExamination {
    let home: Home
    let settings: Settings?
    let glance: NodeGlance

    /// Sends nothing to the network unless discovery is switched on.
    func findings() async -> [Finding] {
        guard settings?.isOn(.discover) == true else {
            return [.ok("local", "not looked for; scurry config discover on finds nodes on the local network")]
        }
        let call: NetworkCall
        do throws(HomeError) {
            call = try NetworkCall(of: home)
        } catch {
            return [.problem("local", Problems.failure(error))]
        }
        let outcome = await call.ask(ownPort: ownPort)
        return Self.findings(outcome)
    }

    private var ownPort: UInt16? {
        guard case .running(let report) = glance.answer, let text = report.listening else { return nil }
        return try? PeerLine.address(text).port
    }

    static func findings(_ outcome: NetworkCall.Outcome) -> [Finding] {
        guard !outcome.ways.isEmpty else {
            return [
                .warning(
                    "local",
                    "this machine is in no network but its own",
                    help: "ip address"
                )
            ]
        }
        let blocked = outcome.ways.sorted { $0.key < $1.key }.compactMap { device, way in
            words(way).map { Finding.warning("local", $0, of: SafeText(line: device), help: firewall) }
        }
        guard outcome.nodes.isEmpty else { return blocked + [.ok("local", there(outcome.nodes))] }
        guard blocked.count < outcome.ways.count else { return blocked }
        return blocked + [
            .ok(
                "local",
                "nobody there: this machine hears its own call, and no other node of the network answers; they may keep "
                    + "silent (scurry config discover on, there), or the network keeps its guests apart"
            )
        ]
    }

    private static let firewall: SafeText = "let UDP port 7776 in and out: 239.255.77.76 and ff15::7776"

    /// A text for what blocks the search; nil: nothing does.
    private static func words(_ way: NetworkCall.Way) -> SafeText? {
        switch way {
        case .open: nil
        case .dropped: "blocked: the call does not even come back to this machine; a firewall here drops it"
        case .failed(let reason): "blocked: the call cannot be sent: \(reason)"
        }
    }

    private static func there(_ nodes: Set<PeerAddress>) -> SafeText {
        let shown = SafeText(line: nodes.sorted().prefix(3).map(\.text).joined(separator: ", "))
        let rest: SafeText = nodes.count > 3 ? " and \(nodes.count - 3) more" : ""
        return "\(Amount.of(nodes.count, "node answers", "nodes answer")): \(shown)\(rest)"
    }
}
