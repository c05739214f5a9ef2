import Entries
import Sync
import Transport

/// Checks the running node, its port, and the service that starts it.
struct NodeExamination {
    let home: Home
    let settings: Settings?
    let glance: NodeGlance
    let environment: Environment

    func node() -> Finding {
        switch glance.answer {
        case .notRunning: return .warning("node", "not running: what you write waits", help: "scurry run")
        case .silent(let node): return .problem("node", node.state, help: node.help)
        case .unknown(let error): return .problem("node", Problems.failure(HomeError.system(error)))
        case .running(let report) where report.isReplaced == true:
            return .warning(
                "node",
                "process \(report.process) runs the program as it was before it was replaced",
                help: NodeGlance.ending(report.process)
            )
        case .running(let report) where report.targets.contains(where: report.isTaken):
            return .problem(
                "node",
                "another node with this node's key is connected to its peers: a copy of this home runs",
                help: "end the node of the copy, or give the copy a log of its own: scurry id restore"
            )
        case .running(let report):
            let runs: SafeText = "runs, process \(report.process)"
            let id = try? home.nodeID().description
            // Why, and what helps, is the finding about signing.
            guard let id, report.node != id else { return .ok("node", runs) }
            return .ok("node", "\(runs), under an id of its own until you decide: another home may have this one's key")
        }
    }

    /// Whether the node could write lately; nil if it could, or none runs.
    func writing() -> Finding? {
        guard let failure = glance.storeFailure else { return nil }
        return .warning("writing", failure, help: "df -h \(ShellWord.quoted(home.layout.data)); quota -s")
    }

    /// Checks that the running node can be reached from this machine, or that the next one could listen.
    func port(_ probe: NodeProbe) async -> Finding? {
        switch glance.answer {
        case .silent, .unknown: return nil
        case .running(let report):
            guard let text = report.listening else {
                return .warning("port", "nobody can call this node", help: "scurry run --listen :7776")
            }
            guard let address = Self.address(text) else { return nil }
            var answer = await probe.ask(address)
            // On a copy the node has another id than that of the home's key.
            if case .node(let found) = answer, found.description == report.node { answer = .itself }
            switch answer {
            case .itself:
                return .ok("port", "\(text) answers here; whether a firewall lets others in, only they can tell")
            case .node, .stranger, .silent:
                return .problem("port", "\(text) is answered by another program", help: "scurry run --listen :0")
            case .unreachable:
                return .problem(
                    "port",
                    "\(text) does not answer",
                    help: NodeGlance.ending(report.process)
                )
            }
        case .notRunning:
            guard let text = settings?.value(.listen), let wish = try? ListenAddress(parsing: text), wish.port > 0
            else {
                return nil
            }
            guard let fault = await PortProbe.fault(wish) else { return .ok("port", "\(text) is free") }
            if case .portBusy = fault {
                return .warning("port", "\(text) is taken by another program", help: "scurry config listen :0")
            }
            return .warning("port", NodeTerms.failure(.listen(fault)).message, help: "scurry config listen :7776")
        }
    }

    /// The address to probe; a wildcard address is probed on loopback.
    private static func address(_ listening: String) -> PeerAddress? {
        guard let bound = try? PeerLine.address(listening) else { return nil }
        switch bound.host {
        case "::", "0.0.0.0": return PeerAddress(host: "127.0.0.1", port: bound.port)
        default: return bound
        }
    }

    func service() -> Finding {
        do throws(Failure) {
            let service = try UserService(home.layout, environment)
            switch try service.state() {
            case .absent: return .ok("service", "none; scurry service install starts the node with the machine")
            case .ofAnotherHome: return .ok("service", "none for this home; \(service.unit.path) runs another")
            case .ofThisHome: break
            }
            switch service.lingering {
            case .yes: return .ok("service", "\(service.unit.path), outlives a log-out")
            case .no:
                return .warning("service", "ends when you log out", help: UserService.lingerCommand)
            case .unknown:
                return .warning("service", "it may end when you log out", help: UserService.lingerCommand)
            }
        } catch {
            return .problem("service", error)
        }
    }
}
