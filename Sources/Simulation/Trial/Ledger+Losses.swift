package import Entries

/// What homes that went back to an older state, or are gone, cannot be held to.
extension Ledger {
    /// What is left of an entry that is signed again in another log: what it refers to may have another name by then.
    private struct Gist: Hashable {
        let kind: UInt16
        let time: UInt64

        init(_ entry: Entry) {
            kind = entry.header.kind
            time = entry.header.time
        }
    }

    /// A home went back to so much of a log: it may sign the places behind it once more, and fork nothing if what stood there
    /// never left.
    ///
    /// `mayGoOn`: the home itself does not see that it went back, and it writes this log.
    package mutating func forget(_ log: LogID, from size: UInt64, mayGoOn: Bool) {
        let lost = signed[log]?.filter { $0.key >= size } ?? [:]
        forgotten[log] = min(forgotten[log] ?? .max, size)
        signedBefore.formUnion(lost.values)
        for place in lost.keys { signed[log]?[place] = nil }
        if mayGoOn, !lost.isEmpty { goneOn.insert(log) }
    }

    /// The home of the log has left for good, and somebody who is there has so much of its beginning without a gap:
    /// that is never lost, unless a disk loses it.
    ///
    /// What lies behind it is excused, whoever has it: behind a gap that nobody fills it may give way
    /// (`protocol/sync.md` §5). Nothing is signed there anew, so that, other than with `forget`, what was signed stands.
    package mutating func leave(_ log: LogID, from kept: UInt64) {
        left.insert(log)
        forgotten[log] = min(forgotten[log] ?? .max, kept)
        for entry in saved where entry.log == log && entry.sequence >= kept { excused.insert(entry.id) }
    }

    /// The log is one of a home that went back before: what is signed again there counts as what it was.
    package mutating func follow(_ log: LogID, after old: LogID) {
        forgotten[log] = .max
        replaced.insert(old)
    }

    /// A node has so much of a log whose home does not know that it went back: with nothing of what was forgotten, it agrees to
    /// whatever is signed now.
    package mutating func noteWitness(of log: LogID, size: UInt64) {
        if size <= forgotten[log] ?? 0 { mayFork.insert(log) }
    }

    /// Excuses every entry of the logs that were forgotten but those that somebody holds, by themselves or signed again; and the
    /// bodies of those whose header is all that anybody holds, and in a log that was left before them, too.
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

    /// Whether a saved entry that is missing from its place may be: it was lost with its home, its log forked since the home
    /// went back, or it stands in the person's next log.
    package func isExcused(_ entry: Saved, at site: SiteSnapshot) -> Bool {
        if excused.contains(entry.id) { return true }
        // What was ended counts where that is known; a word that was lost with its home ends nothing.
        if let person = persons[entry.log], let end = ends[person], site.items[end] != nil { return true }
        // Of a log that forked, what was settled may be either history.
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

    /// Whether something that was saved may be nowhere: it went with its home, or lies behind a cut or a settled end, as a delete
    /// may that had erased something by then.
    package var mayLack: Bool {
        !excused.isEmpty || !bare.isEmpty || !left.isEmpty || !mayFork.isEmpty || !settled.isEmpty
    }

    private func saysTheSame(_ entry: Entry, as old: Entry) -> Bool {
        guard Gist(entry) == Gist(old) else { return false }
        guard let payload = entry.payload, let before = old.payload else { return true }
        return Ledger.tokens(in: payload) == Ledger.tokens(in: before)
    }

    /// All that it refers to was deleted: it is not signed again.
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
