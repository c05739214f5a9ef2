import Entries
import Storage
import Transport

/// The screen of `status`, and of `scurry` alone: the state of the node and its store.
struct StatusScreen {
    let desk: ReadingDesk
    let console: Console

    func write(_ form: ReadingOptions.Form) throws {
        switch form {
        case .json: try console.out.write(object())
        case .text: try console.out.write(lines())
        }
    }

    /// What the home's files say, read once: what cannot be read fails the screen, and is no answer on it.
    private struct Held {
        let status: StoreStatus
        let print: FingerprintReport
        /// Logs of which more is wanted.
        let wantedLogs: Int
        let keys: HomeKeys
        /// How the device key stands to the own log.
        let keyFit: DeviceKeyFit
        /// The reason why this home signs nothing, or will not once its node has ended; nil if it signs.
        let stop: SigningStop?
        /// Own entries that wait to be signed again.
        let withdrawn: Int
    }

    private func held() throws -> Held {
        let (status, print, withdrawn) = try Problems.naming { () throws(StorageError) in
            (try desk.store.status(), try desk.store.fingerprint(), try desk.store.withdrawnEntries())
        }
        let glance = desk.glance
        if let failure = glance.answer.failure { throw failure }
        let wanted = try Problems.naming { () throws(StorageError) in try glance.wantedLogs(desk.store) }
        return Held(
            status: status,
            print: print,
            wantedLogs: wanted,
            keys: try Problems.naming { () throws(HomeError) in try desk.home.keys() },
            keyFit: try Problems.naming { () throws(StorageError) in try desk.home.keyFit(in: desk.store) },
            stop: try desk.signingStop(),
            withdrawn: withdrawn
        )
    }

    func object() throws -> JSONObject {
        let held = try held()
        let (status, print, keys) = (held.status, held.print, held.keys)
        let glance = desk.glance
        let report = glance.report
        let node = nodeID(report, keys)
        return JSONObject([
            "id": .string(node.description),
            "node": .string(node.description),
            "person": .optional(desk.own?.description),
            "network": .string(desk.home.networkName),
            "private": .bool(desk.home.access == .withSecret),
            "home": .string(desk.home.layout.data),
            "running": .bool(isRunning(glance)),
            "replaced": .bool(report?.isReplaced == true),
            "process": glance.process.map { .integer(Int64($0)) } ?? .null,
            "started": report.map { .string(TimeText.rfc3339($0.startedAt)) } ?? .null,
            "listening": .optional(report?.listening),
            "address": .optional(Reachable.address(of: node, listening: report?.listening)?.string),
            "peers_listed": .integer(Int64(glance.listed)),
            "peers_connected": report.map { .integer(Int64($0.peers.count)) } ?? .null,
            "peers_in_step": report.map { .integer(Int64($0.peers.count(where: \.isInStep))) } ?? .null,
            "last_in_step": report?.lastInStep.map { .string(TimeText.rfc3339($0)) } ?? .null,
            "peers_refusing": report.map { .integer(Int64($0.targets.count { $0.refusal != nil })) } ?? .null,
            "full": report?.isFull.map { .bool($0) } ?? .null,
            "carried_people": .optional(report?.carriedPeople),
            "left_out_people": .optional(report?.leftOutPeople),
            "fingerprint": .string(print.fingerprint.description),
            "complete": .bool(glance.isComplete(print, wantedLogs: held.wantedLogs)),
            "posts": .integer(Int64(status.posts)),
            "people": .integer(Int64(status.people)),
            "logs": .integer(Int64(status.logs)),
            "entries": .integer(Int64(status.entries)),
            "wanted_logs": .integer(Int64(held.wantedLogs)),
            "delayed_logs": .optional(report?.delayedLogs),
            "unsupplied_logs": .integer(Int64(report?.unsuppliedLogs ?? status.unsuppliedLogs)),
            "wanted_bodies": .integer(Int64(status.wantedBodies)),
            "gaps": .integer(Int64(status.gaps)),
            "missing_entries": .integer(Int64(status.missingEntries)),
            "set_aside_logs": .integer(Int64(status.setAsideLogs)),
            "own_entries": status.own.map { .unsigned($0.size) } ?? .null,
            "own_published": status.own.map { .unsigned($0.published) } ?? .null,
            "signing_stopped": .bool(
                held.stop.map { !$0.isDelayed(by: report) } ?? report?.isSigningStopped ?? false
            ),
            "signing_stop": .optional(held.stop?.rawValue),
            "own_withdrawn": .integer(Int64(held.withdrawn)),
            "passphrase_set": .bool(keys.hasPassphrase),
            "locked": .bool(report?.isLocked ?? keys.isLocked),
            "received_bytes": report.map { .unsigned($0.bytesReceived) } ?? .null,
            "sent_bytes": report.map { .unsigned($0.bytesSent) } ?? .null,
            "database_bytes": .integer(Int64(status.databaseBytes)),
            "disk_budget": .optional(report?.diskBudgetBytes),
            "dropped_bodies": .integer(Int64(status.evictedBodies)),
            "budget_failure": .optional(report?.budgetFailure),
            "store_failure": .optional(report?.storeFailure),
            "drafts": .array(
                waitingDrafts.map { draft in
                    .object(JSONObject(["path": .string(draft.path), "command": .string(draft.command.string)]))
                }
            ),
        ])
    }

    /// The id of the node that runs, which on a copy is not that of the home's key; without one that of the key.
    private func nodeID(_ report: StatusReport?, _ keys: HomeKeys) -> NodeID {
        report.flatMap { Base32.decode($0.node) }.flatMap { NodeID($0) } ?? keys.nodeID
    }

    private func isRunning(_ glance: NodeGlance) -> Bool {
        switch glance.answer {
        case .running, .silent: true
        case .notRunning, .unknown: false
        }
    }

    private func lines() throws -> [StyledLine] {
        let held = try held()
        let glance = desk.glance
        let look = console.out.look
        var facts = node(glance, held.keys)
        facts.append(.init("peers", peers(glance)))
        facts += carrying(glance.report)
        facts.append(.init("posts", "\(held.status.posts) by \(Amount.of(held.status.people, "person", "people"))"))
        facts.append(.init("holds", holds(held, glance)))
        facts += try channel()
        facts += signing(held, glance.report)
        facts += drafts()
        facts += use(held.status, glance)
        return [heading(look)] + Facts(facts).lines(look) + next(held, glance, look)
    }

    private func heading(_ look: Look) -> StyledLine {
        var heading = StyledLine(" ")
        if let own = desk.own {
            heading.add(desk.book[own].shownName, .bold)
            heading.add(" ~\(desk.book[own].tag)", .dim)
        } else {
            heading.add("a hub", .bold)
        }
        heading.add(" \(look.glyphs.separator) \(desk.home.networkTerm)")
        return heading
    }

    private func node(_ glance: NodeGlance, _ keys: HomeKeys) -> [Facts.Fact] {
        switch glance.answer {
        case .notRunning: return [.init("node", "not running")]
        case .silent(let node): return [.init("node", node.state)]
        case .unknown: return [.init("node", "cannot be asked")]
        case .running(let report):
            let place: SafeText = report.listening.map { "listens on \($0)" } ?? "nobody can call it"
            var facts = [Facts.Fact("node", "runs since \(console.clock.short(report.startedAt)), \(place)")]
            if report.isReplaced == true {
                facts.append(.init("program", "was replaced; the new one runs when the node is started again"))
            }
            let id = nodeID(report, keys)
            if id != keys.nodeID {
                facts.append(.init("", "under an id of its own until you decide: another home may have this one's key"))
            }
            if let address = Reachable.address(of: id, listening: report.listening) {
                facts.append(.init("address", address, .whole))
            }
            return facts
        }
    }

    /// The channel in use, which is easily forgotten, and what is unread outside it; empty: none is in use.
    private func channel() throws -> [Facts.Fact] {
        guard let used = desk.state.channelInUse else { return [] }
        let unread = try FeedDesk.unreadElsewhere(desk, now: console.now)
        let hidden: SafeText = unread == 0 ? "" : ", \(unread) unread elsewhere"
        let name = SafeText(line: "#\(used)")
        return [.init("channel", "\(name) in use\(hidden); for all again: scurry channel use")]
    }

    /// What keeps this home from signing, what waits or has to spread, and the state of the key; empty if all is as
    /// usual.
    private func signing(_ held: Held, _ report: StatusReport?) -> [Facts.Fact] {
        var facts: [Facts.Fact] = []
        if let stop = held.stop {
            facts.append(.init("signing", stop.state(report)))
            if held.withdrawn > 0 {
                let waiting = Amount.of(held.withdrawn, "entry", "entries")
                facts.append(.init("waiting", "\(waiting) of yours, to be signed again"))
            }
        } else if report?.isSigningStopped == true {
            facts.append(.init("signing", SigningStop.ofNode))
        } else if let own = held.status.own, own.published < own.size {
            facts.append(.init("to spread", Amount.of(Int(own.size - own.published), "entry", "entries") + " of yours"))
        }
        if let state = held.keys.state(of: desk) {
            let isHeld = held.keys.isLocked && report?.isLocked == false
            facts.append(.init("key", isHeld ? "unlocked until scurry lock, or the node's end" : state))
        }
        return facts
    }

    private var waitingDrafts: [Draft.Waiting] { Draft.waiting(in: desk.home.layout.drafts) }

    /// Texts shown that wait to be posted, at most: a glance. A guess.
    private static let draftsShown = 3

    /// The texts that were kept and wait to be posted, each with its command; empty if none does.
    private func drafts() -> [Facts.Fact] {
        let waiting = waitingDrafts
        let rest = waiting.count - Self.draftsShown
        let facts = waiting.prefix(Self.draftsShown).enumerated().map { index, draft in
            Facts.Fact(index == 0 ? "draft" : "", "waits: \(draft.command)")
        }
        return rest > 0 ? facts + [.init("", "\(rest) more in \(desk.home.layout.drafts)")] : facts
    }

    /// What the node takes of the network and the disk, and what fails there.
    private func use(_ status: StoreStatus, _ glance: NodeGlance) -> [Facts.Fact] {
        var facts: [Facts.Fact] = []
        if let report = glance.report {
            facts.append(
                .init("traffic", "\(Amount.bytes(report.bytesReceived)) in, \(Amount.bytes(report.bytesSent)) out")
            )
        }
        facts.append(.init("disk", BudgetTerms.disk(status, glance.report)))
        if let excess = BudgetTerms.excess(status, glance.report) { facts.append(.init("", excess)) }
        if let failure = BudgetTerms.failure(glance.report) { facts.append(.init("", failure)) }
        if let failure = glance.storeFailure { facts.append(.init("", failure)) }
        return facts
    }

    /// What is not carried, missing or refused; empty if all is as usual.
    private func carrying(_ report: StatusReport?) -> [Facts.Fact] {
        guard let report else { return [] }
        var facts: [Facts.Fact] = []
        for target in report.targets {
            let place = SafeText(line: target.address)
            if target.isListed, target.impostor != nil {
                facts.append(.init("", "\(place) is answered by another node than the one you trust: scurry doctor"))
            }
            if !report.isConnected(target), let refusal = CarryTerms.refusal(target) {
                facts.append(.init("", "\(place) \(refusal)"))
            }
        }
        if report.isFull == true {
            facts.append(.init("", "no more connections are let in: there are as many as it takes"))
        }
        if let carries = CarryTerms.carries(report) { facts.append(.init("carries", carries)) }
        if let waiting = CarryTerms.waiting(report) { facts.append(.init("waits", waiting)) }
        return facts
    }

    /// The next commands while something is missing.
    private func next(_ held: Held, _ glance: NodeGlance, _ look: Look) -> [StyledLine] {
        var commands: [SafeText] = []
        switch held.stop {
        case nil: break
        // A home restored from a backup has no device key to keep, one with a file of another home not its own.
        case let stop? where stop.canBeKept && held.keyFit == .own:
            commands += ["scurry id restore", "scurry id keep"]
        case .ended: commands.append(SigningStop.ended.wayOut)
        case .notCarried: commands.append(SigningStop.notCarried.wayOut)
        case _?: commands.append("scurry id restore")
        }
        switch glance.answer {
        case .notRunning: commands.append("scurry run")
        case .silent(let node): commands.append(node.help)
        case .running, .unknown: break
        }
        if !glance.hasPeers { commands.append("scurry join HOST:7776") }
        return commands.map { StyledLine(" next: \($0)") }
    }

    private func peers(_ glance: NodeGlance) -> SafeText {
        guard glance.hasPeers else { return "none" }
        guard let report = glance.report else { return "\(glance.listed) in the peers file" }
        if report.peers.isEmpty {
            let last: SafeText = report.lastInStep.map { ", last in step \(console.clock.age($0))" } ?? ""
            return "none connected\(last), \(glance.listed) in the peers file"
        }
        return StatusReport.Peer.behind(of: report.peers) ?? glance.heading(console.clock)
    }

    private func holds(_ held: Held, _ glance: NodeGlance) -> SafeText {
        let status = held.status
        let count: SafeText =
            "\(Amount.of(status.entries, "entry", "entries")) in \(Amount.of(status.logs, "log", "logs"))"
        let missing = held.print.missing(held.wantedLogs)
        // What has come and could not be stored is among nothing that is counted here.
        let whole: SafeText = glance.isStoreBehind ? "not complete" : BudgetTerms.completeness(held.print)
        let state: SafeText = missing.isEmpty ? whole : "\(Amount.list(missing)) still wanted"
        let forks: SafeText = status.setAsideLogs == 0 ? "" : ", \(status.setAsideLogs) set aside (forked)"
        return "\(count), \(state)\(forks)"
    }
}

extension FingerprintReport {
    /// What is still wanted, part by part, as `1 log` and `2 texts`; empty if nothing is.
    func missing(_ wantedLogs: Int) -> [SafeText] {
        var parts: [SafeText] = []
        if wantedLogs > 0 { parts.append(Amount.of(wantedLogs, "log", "logs")) }
        if gaps > 0 { parts.append(Amount.of(gaps, "history", "histories")) }
        if wantedBodies > 0 { parts.append(Amount.of(wantedBodies, "text", "texts")) }
        return parts
    }
}
