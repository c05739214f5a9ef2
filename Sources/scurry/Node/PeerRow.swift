import Entries
import Transport

/// One row of `scurry peers`: a line of the peers file, an address learned from others, or an incoming connection.
struct PeerRow {
    /// The address that was dialled, or that the connection came from.
    var address: String?
    /// Node id in base32; nil until the first contact.
    var node: String?
    var name: String?
    var isListed = false
    /// The connection; nil if there is none.
    var session: StatusReport.Peer?
    /// The dial state; nil if the peer is not dialled or no node runs.
    var target: StatusReport.Target?

    static func all(_ file: PeersFile, _ report: StatusReport?) -> [PeerRow] {
        var rows: [PeerRow] = []
        var places: [String: Int] = [:]
        for line in file.peers {
            let address = line.address.text
            if let place = places[address] {
                // The node takes the first of several lines.
                rows[place].name = rows[place].name ?? line.name
                continue
            }
            places[address] = rows.count
            rows.append(PeerRow(address: address, node: line.node?.description, name: line.name, isListed: true))
        }
        guard let report else { return rows }
        for target in report.targets {
            if let place = places[target.address] {
                rows[place].target = target
                rows[place].node = rows[place].node ?? target.node
            } else {
                rows.append(PeerRow(address: target.address, node: target.node, target: target))
            }
        }
        for peer in report.peers {
            // Where another node answers, the one that is meant is not.
            let isFree = { (row: PeerRow) in row.session == nil && row.target?.impostor == nil }
            let isDialled = { (row: PeerRow) in
                isFree(row) && peer.direction == .outgoing && row.address == peer.address
            }
            let isSame = { (row: PeerRow) in isFree(row) && row.node == peer.node }
            // One node may stand at several addresses: the one that was dialled comes first.
            if let index = rows.firstIndex(where: isDialled) ?? rows.firstIndex(where: isSame) {
                rows[index].session = peer
                rows[index].node = peer.node
                // It called, and nobody answers where it was heard of: it may have moved.
                let hasMoved = peer.direction == .incoming && rows[index].target?.failure != nil
                if hasMoved, !rows[index].isListed { rows[index].address = peer.address ?? rows[index].address }
            } else {
                rows.append(PeerRow(address: peer.address, node: peer.node, session: peer))
            }
        }
        // Learned addresses that are not needed now tell a person nothing.
        return merged(rows).filter { $0.isListed || $0.session != nil || $0.target?.state != .idle }
    }

    /// Leaves one row of each connected node: at its other addresses it is not called.
    private static func merged(_ rows: [PeerRow]) -> [PeerRow] {
        var rows = rows
        var places: [String: Int] = [:]
        for (place, row) in rows.enumerated() where row.session != nil {
            if let node = row.node { places[node] = place }
        }
        var gone: Set<Int> = []
        // Where another node answers, a person has to decide.
        for (other, row) in rows.enumerated() where row.session == nil && row.target?.impostor == nil {
            guard let place = row.node.flatMap({ places[$0] }) else { continue }
            // The line that a person wrote, and can strike out.
            if row.isListed, !rows[place].isListed { (rows[place].address, rows[place].isListed) = (row.address, true) }
            rows[place].name = rows[place].name ?? row.name
            gone.insert(other)
        }
        return rows.indices.filter { !gone.contains($0) }.map { rows[$0] }
    }

    var object: JSONObject {
        JSONObject([
            "id": .optional(node ?? address),
            "node": .optional(node),
            "address": .optional(address),
            "name": .optional(name),
            "listed": .bool(isListed),
            "state": .string(state),
            "direction": .optional(session?.direction.rawValue),
            "agent": .optional(session?.agent),
            "connected_since": session.map { .string(TimeText.rfc3339($0.connectedSince)) } ?? .null,
            "in_step": session.map { .bool($0.isInStep) } ?? .null,
            "common_people": .optional(session?.commonPeople),
            "carries_you": session?.carriesOwn.map { .bool($0) } ?? .null,
            "lacked_logs": .optional(session?.lackedLogs),
            "last_heard": session?.lastHeard.map { .string(TimeText.rfc3339($0)) } ?? .null,
            "last_in_step": lastInStep.map { .string(TimeText.rfc3339($0)) } ?? .null,
            "wanted_logs": session.map { .integer(Int64($0.wants)) } ?? .null,
            "received_bytes": session.map { .unsigned($0.bytesReceived) } ?? .null,
            "sent_bytes": session.map { .unsigned($0.bytesSent) } ?? .null,
            "left_alone": .optional(target?.leftAlone?.rawValue),
            "refused": .optional(target?.refusal?.rawValue),
            "answered_by": .optional(target?.impostor),
            "failures": target.map { .integer(Int64($0.failures)) } ?? .null,
            "failure": .optional(failure),
            "retry_in_ms": target?.retryInMilliseconds.map { .unsigned($0) } ?? .null,
        ])
    }

    /// Why the last dial failed; nil while the peer is connected, as it may be because it called us.
    private var failure: String? { session == nil ? target?.failure : nil }

    /// When it was last in step: on this connection, or, while there is none, on the last one.
    private var lastInStep: UInt64? { session.map(\.lastEqual) ?? target?.lastInStep }

    private var state: String {
        if session != nil { return "connected" }
        // A call that is taken is no connection before a node has answered.
        if target?.state == .connected { return StatusReport.Target.State.dialling.rawValue }
        return target?.state.rawValue ?? "unknown"
    }

    func lines(_ look: Look, _ clock: TimeText, _ glance: NodeGlance) -> [StyledLine] {
        var head = StyledLine(" ")
        head.add(SafeText(line: address ?? "unknown address"), .bold)
        if let name { head.add("  \(name)") }
        if session?.direction == .incoming { head.add("  called us", .dim) }
        if session == nil, !isListed { head.add("  heard of", .dim) }
        var lines = [head]
        lines += Wrap.lines(condition(clock, glance.answer), width: look.width, prefix: "   ").map { StyledLine($0) }
        if let node {
            lines += Wrap.lines(SafeText(line: node), width: look.width, prefix: "   ").map { StyledLine($0, .dim) }
        }
        return lines
    }

    /// How the peer is doing, as far as the node's answer tells.
    func condition(_ clock: TimeText, _ answer: NodeGlance.Answer) -> SafeText {
        if let session {
            let traffic: SafeText = "\(Amount.bytes(session.bytesReceived)) in, \(Amount.bytes(session.bytesSent)) out"
            let share = CarryTerms.share(session)
            if let silence = session.silence(now: clock.now) {
                return "has said nothing for \(silence) s: it hangs, or the way to it is cut\(share), \(traffic)"
            }
            if session.isInStep { return "in step\(share), \(traffic)" }
            if session.isSettled, let last = session.lastEqual {
                return "synced \(clock.age(last))\(share), \(traffic)"
            }
            let behind: SafeText =
                session.wants == 0 ? "syncing" : "syncing, \(Amount.of(session.wants, "log", "logs")) to go"
            return "\(behind)\(share), \(traffic)"
        }
        guard let target else {
            switch answer {
            case .notRunning: return "not called: no node runs"
            case .silent: return "unknown: the node does not answer"
            case .unknown: return "unknown: the node cannot be asked"
            case .running: return "not called"
            }
        }
        switch target.state {
        case .connected, .dialling: return Self.reason(target).map { "\($0); calling again" } ?? "calling"
        case .idle: return "not needed now"
        case .waiting:
            let seconds = ((target.retryInMilliseconds ?? 0) + 999) / 1_000
            if let why = target.leftAlone { return leftAlone(why, seconds: seconds) }
            if target.isQueued == true {
                return Self.reason(target).map { "\($0); waits its turn" } ?? "waits its turn"
            }
            guard let reason = Self.reason(target) else { return "next call in \(seconds) s" }
            return "\(reason); next call in \(seconds) s"
        }
    }

    /// Why the last dial failed; nil: it did not.
    private static func reason(_ target: StatusReport.Target) -> SafeText? {
        if let other = target.impostor { return "another node answers there, \(SafeText(line: other)): not trusted" }
        if let refusal = CarryTerms.refusal(target) { return refusal }
        guard target.failures > 0 || target.failure != nil else { return nil }
        let why = target.failure.map { SafeText(line: $0) } ?? "no answer"
        return target.failures < 2 ? why : "\(why), after \(target.failures) attempts"
    }

    /// Why the peer is not in step, for a person who waits for that.
    func reason(_ clock: TimeText) -> SafeText {
        if let session {
            if let silence = session.silence(now: clock.now) { return "has said nothing for \(silence) s" }
            return session.wants == 0 ? "is busy still" : "\(Amount.of(session.wants, "log", "logs")) to go"
        }
        guard let target else { return "was not called" }
        switch target.leftAlone {
        case .stranger: return "somebody answers there, but no node of this network"
        case .violation: return "it broke the protocol"
        case nil: break
        }
        let unsaid: SafeText = target.isQueued == true ? "was not called" : "does not answer"
        let why = Self.reason(target) ?? unsaid
        guard let other = target.impostor, let address else { return why }
        return "\(why); if that is right: scurry join \(SafeText(line: other))@\(ShellWord.quoted(address))"
    }

    private func leftAlone(_ why: StatusReport.Target.LeftAlone, seconds: UInt64) -> SafeText {
        let next: SafeText = seconds < 120 ? "\(Int(seconds)) s" : "\(Int((seconds + 59) / 60)) min"
        switch why {
        case .stranger:
            return "somebody answers there, but no node of this network; next call in \(next): scurry doctor"
        case .violation: return "it broke the protocol, and is left alone for \(next)"
        }
    }
}
