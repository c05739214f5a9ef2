import Entries
import Sync
import Transport

/// Dials every listed peer, and tells "blocked" from "nobody there".
struct PeerExamination {
    let home: Home
    /// Nil if the home's keys cannot be used: then no peer is dialled.
    let probe: NodeProbe?
    let glance: NodeGlance

    /// Peers that are dialled at most, the first ones of the list: a person reads no more; guess.
    private static let peersAtMost = 100
    /// Peers that are dialled at once: as many names as are looked up at once.
    private static let peersAtOnce = 16

    func findings() async -> [Finding] {
        let path = SafeText(line: home.layout.peers)
        let file: PeersFile
        let known: KnownNodes
        do throws(SystemError) {
            file = try PeersFile(reading: home.layout.peers)
            known = try KnownNodes(reading: home.layout.knownNodes)
        } catch {
            return [.problem("peers", Problems.failure(HomeError.system(error)))]
        }
        var findings = file.badLines.map { line in
            Finding.problem(
                "peers",
                "\(path), line \(line.number): \(line.reason.description)",
                help: "$EDITOR \(ShellWord.quoted(home.layout.peers))"
            )
        }
        guard !file.peers.isEmpty else {
            // Whoever calls this node brings what others wrote, too.
            let connected = glance.report?.peers.count ?? 0
            if connected > 0 { return findings + [.ok("peers", "none listed; \(connected) connected")] }
            return findings + [.warning("peers", "none", help: "scurry join HOST:7776")]
        }
        guard let probe else { return findings }
        let peers = Array(file.peers.prefix(Self.peersAtMost))
        let answers = await ask(probe, peers)
        let isAnyFine = zip(peers, answers).contains { peer, answer in
            guard case .node(let found) = answer else { return false }
            return found == peer.node ?? known[peer.address] ?? found
        }
        for (peer, answer) in zip(peers, answers) {
            let expected = peer.node ?? known[peer.address]
            // A peer that is off is no problem as long as another one answers.
            findings.append(finding(peer, answer, expected: expected, unreached: isAnyFine ? .warning : .problem))
        }
        if file.peers.count > peers.count {
            findings.append(.ok("peers", "\(file.peers.count - peers.count) more were not called"))
        }
        return findings
    }

    private func ask(_ probe: NodeProbe, _ peers: [PeerLine]) async -> [NodeProbe.Outcome] {
        await withTaskGroup(of: (Int, NodeProbe.Outcome).self) { group in
            var outcomes = [NodeProbe.Outcome](repeating: .stranger, count: peers.count)
            for (index, peer) in peers.enumerated() {
                if index >= Self.peersAtOnce, let (done, outcome) = await group.next() { outcomes[done] = outcome }
                group.addTask { (index, await probe.ask(peer.address)) }
            }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func finding(
        _ peer: PeerLine,
        _ answer: NodeProbe.Outcome,
        expected: NodeID?,
        unreached: Finding.State
    ) -> Finding {
        let place = SafeText(line: peer.address.text)
        let typed = ShellWord.quoted(peer.address.text)
        switch answer {
        case .node(let found) where found == expected ?? found: return .ok("peer", "fine", of: place)
        case .node(let found):
            return .problem(
                "peer",
                "another node answers there than before: \(found.description)",
                of: place,
                help: "if that is right: scurry join \(found.description)@\(typed)"
            )
        case .itself: return .warning("peer", "is this node itself", of: place, help: "scurry leave \(typed)")
        case .stranger:
            return .problem(
                "peer",
                "somebody is there, but no node of the \(home.networkTerm): another network, or another program",
                of: place,
                help: "scurry whoami, here and there, names the network"
            )
        case .silent:
            return .problem(
                "peer",
                "takes the call and says nothing: a node that hangs, another network, or another program",
                of: place,
                help: NodeTerms.silenceHelp
            )
        case .unreachable(let failure):
            let (text, help) = Self.words(failure, typed)
            return Finding("peer", place, unreached, text, help)
        }
    }

    /// What the failure says, and what to do; `typed` is the address as it stands in a command.
    private static func words(_ failure: DialFailure, _ typed: SafeText) -> (SafeText, SafeText) {
        switch failure {
        case .nameNotFound: ("the name does not resolve", "scurry leave \(typed), then scurry join with the right name")
        case .refused: ("nobody there: the machine answers, and no node listens", "ask there for scurry status")
        case .timedOut:
            (
                "blocked: no answer at all; a firewall drops the calls, or the machine is off",
                "ask there whether it is on, and lets this port in"
            )
        case .unreachable:
            ("blocked: there is no way there from this network", "ip route; another network, or a VPN")
        case .busy: ("not tried: other names are still being looked up", "scurry doctor, again later")
        case .other: ("the connection failed", "scurry doctor, again later")
        }
    }
}
