package import Entries

/// What the checkers excuse after a home was restored to an older state, or has left for good.
extension Ledger {
    /// What identifies an entry that is signed again in another log: the entries that it refers to may have other ids
    /// by then.
    private struct Gist: Hashable {
        let kind: UInt16
        let time: UInt64

        init(_ entry: Entry) {
            kind = entry.header.kind
            time = entry.header.time
        }
    }

    /// What a restored home does with a log.
    package enum RestoredWriter: Hashable, Sendable {
        /// It detects the restore, or the log is not its own.
        case stops
        /// It cannot detect the restore, and signs on in its own log.
        case goesOn
    }

    /// A home was restored to `size` entries of a log: it may sign the later sequence numbers once more, which is no
    /// fork if the entries there never left.
    package mutating func forget(_ log: LogID, from size: UInt64, writer: RestoredWriter) {
        let lost = signed[log]?.filter { $0.key >= size } ?? [:]
        forgotten[log] = min(forgotten[log] ?? .max, size)
        signedBefore.formUnion(lost.values)
        for place in lost.keys { signed[log]?[place] = nil }
        if writer == .goesOn, !lost.isEmpty { goneOn.insert(log) }
    }

    /// The home of a log has left for good. `kept`: the longest beginning that a present node holds without a gap; it
    /// may not be lost, unless a disk loses it.
    ///
    /// Entries from there on are excused, whoever holds them: behind a gap that nobody fills they may give way
    /// (`protocol/sync.md` §5). Unlike `forget`, this keeps what was signed: the home signs nothing anew.
    package mutating func leave(_ log: LogID, from kept: UInt64) {
        left.insert(log)
        forgotten[log] = min(forgotten[log] ?? .max, kept)
        for entry in saved where entry.log == log && entry.sequence >= kept { excused.insert(entry.id) }
    }

    /// A restored home goes on with `log` in place of `old`: what is signed again there counts as the old entries.
    package mutating func follow(_ log: LogID, after old: LogID) {
        forgotten[log] = .max
        replaced.insert(old)
    }

    /// Notes how much a node has of a log whose home did not detect its restore: a node that has none of the lost
    /// entries accepts others in their place.
    package mutating func noteWitness(of log: LogID, size: UInt64) {
        if size <= forgotten[log] ?? 0 { mayFork.insert(log) }
    }

    /// Excuses every entry of the logs that were forgotten but those that somebody holds, by themselves or signed
    /// again; and the bodies of those whose header is all that anybody holds, and in a log that was left before them,
    /// too.
    package mutating func excuse(but held: [Entry]) {
        let ids = Set(held.map(\.id))
        let whole = Set(held.filter { $0.payload != nil }.map(\.id))
        let gists = Set(held.map(Gist.init))
        for entry in saved {
            guard let size = forgotten[entry.log] else { continue }
            let isForgotten = entry.sequence >= size
            if ids.contains(entry.id) {
                // Its header came by way of a liar who keeps the body back.
                let mayBeBare = isForgotten || left.contains(entry.log)
                if mayBeBare, !whole.contains(entry.id), !erased.contains(entry.id) { bare.insert(entry.id) }
                continue
            }
            guard isForgotten else { continue }
            if replaced.contains(entry.log), let old = entries[entry.id], gists.contains(Gist(old)) { continue }
            excused.insert(entry.id)
        }
    }

    /// Whether a saved entry may be missing from its place: it was lost with its home, it is behind a settled end or
    /// behind the cut of a log that forked after a restore, its account ended, or it was signed again in the person's
    /// next log.
    package func isExcused(_ entry: Saved, at site: SiteSnapshot) -> Bool {
        if excused.contains(entry.id) { return true }
        // The end of an account excuses where it is known; one that was lost with its home does not.
        if let person = persons[entry.log], let end = ends[person], site.items[end] != nil { return true }
        // In a log that forked, the settled history may be either branch.
        if settled[entry.log] != nil, let kept = site.items[entry.log]?.settled,
            entry.sequence >= kept.size || mayFork.contains(entry.log)
        {
            return true
        }
        if mayFork.contains(entry.log), let cut = site.items[entry.log]?.cut, entry.sequence >= cut { return true }
        guard replaced.contains(entry.log), let old = entries[entry.id], let person = persons[entry.log] else {
            return false
        }
        if erased.contains(entry.id) || saysNothing(old) { return true }
        return site.identities.contains { log, identity in
            identity == person && log != entry.log && site.entries[log]?.contains { saysTheSame($0, as: old) } == true
        }
    }

    /// Whether something that was saved may be nowhere: it went with its home, or lies behind a cut or a settled end,
    /// as a delete may that had erased something by then.
    package var mayLack: Bool {
        !excused.isEmpty || !bare.isEmpty || !left.isEmpty || !mayFork.isEmpty || !settled.isEmpty
    }

    private func saysTheSame(_ entry: Entry, as old: Entry) -> Bool {
        guard Gist(entry) == Gist(old) else { return false }
        guard let payload = entry.payload, let before = old.payload else { return true }
        return Ledger.tokens(in: payload) == Ledger.tokens(in: before)
    }

    /// Whether everything that the entry refers to was deleted: then it is not signed again.
    private func saysNothing(_ entry: Entry) -> Bool {
        guard let bytes = entry.payload,
            let payload = try? Payload.decode(kind: entry.header.kind, bytes: bytes)
        else { return false }
        return switch payload {
        case .edit(let edit): erased.contains(edit.post)
        case .vote(let vote): vote.choices.allSatisfy { erased.contains($0.post) }
        case .delete(let delete): delete.entries.allSatisfy { erased.contains($0) }
        case .post, .follow, .profile: false
        }
    }
}
