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
        var rows = file.peers.map { line in
            PeerRow(address: line.address.text, node: line.node?.description, name: line.name, isListed: true)
        }
        guard let report else { return rows }
        for target in report.targets {
            if let index = rows.firstIndex(where: { $0.address == target.address }) {
                rows[index].target = target
                rows[index].node = rows[index].node ?? target.node
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
            } else {
                rows.append(PeerRow(address: peer.address, node: peer.node, session: peer))
            }
        }
        // Learned addresses that are not needed now tell a person nothing.
        return rows.filter { $0.isListed || $0.session != nil || $0.target?.state != .idle }
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
            "last_in_step": session?.lastEqual.map { .string(TimeText.rfc3339($0)) } ?? .null,
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
        lines += Wrap.lines(condition(clock, glance), width: look.width, prefix: "   ").map { StyledLine($0) }
        if let node {
            lines += Wrap.lines(SafeText(line: node), width: look.width, prefix: "   ").map { StyledLine($0, .dim) }
        }
        return lines
    }

    private func condition(_ clock: TimeText, _ glance: NodeGlance) -> SafeText {
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
            switch glance.answer {
            case .notRunning: return "not called: no node runs"
            case .silent: return "unknown: the node does not answer"
            case .running: return "not called"
            }
        }
        switch target.state {
        case .connected, .dialling: return Self.reason(target).map { "\($0); calling again" } ?? "calling"
        case .idle: return "not needed now"
        case .waiting:
            let seconds = ((target.retryInMilliseconds ?? 0) + 999) / 1_000
            if let why = target.leftAlone { return leftAlone(why, seconds: seconds) }
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
        let why = Self.reason(target) ?? "does not answer"
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
