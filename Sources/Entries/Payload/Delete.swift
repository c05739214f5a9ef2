#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Deletes entries of the same identity: kind 6 (`protocol/payload.md` §3).
package struct Delete: Equatable, Sendable {
    /// The post and each of its edits; repetitions count once.
    package let entries: [EntryID]

    /// Checks the rules of the content.
    ///
    /// - Throws: `noTarget`.
    package init(entries: [EntryID]) throws(PayloadError) {
        guard !entries.isEmpty else { throw .rule(.noTarget) }
        self.entries = entries
    }
}

extension Delete {
    init(wire: WireDelete) throws(PayloadError) {
        var entries: [EntryID] = []
        entries.reserveCapacity(wire.entries.count)
        for entry in wire.entries {
            entries.append(try EntryID(wire: entry))
        }
        try self.init(entries: entries)
    }

    var wire: WireDelete {
        var wire = WireDelete()
        wire.entries = entries.map { Data($0.bytes) }
        return wire
    }
}
