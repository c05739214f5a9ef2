import GRDB
import Testing

@testable import Storage

extension EntryStore {
    /// Every derived row in words that no numbering of this database shows in: equal dumps are equal folds.
    func derivedDump() throws -> [String] {
        expectRowsAsInTheFile()
        return try rowsDerived()
    }

    private func rowsDerived() throws -> [String] {
        try writer.read { db in
            var lines: [String] = []
            for (name, sql) in Self.dumps {
                lines += try String.fetchAll(db, sql: sql).map { "\(name) \($0)" }.sorted()
            }
            return lines
        }
    }

    /// The arrival number of every listed post, by entry.
    func arrivals() throws -> [Int64: Int64] {
        try writer.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT entry, arrival FROM posts")
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0] as Int64, $0[1] as Int64) })
        }
    }

    private static let dumps = [
        (
            "target",
            // A target that nothing is said of any more is no state.
            """
            SELECT hex(id) || ' ' || up || ' ' || down || ' ' || replies FROM targets
            WHERE up > 0 OR down > 0 OR replies > 0
            """
        ),
        (
            "post",
            """
            SELECT hex(l.log) || ' ' || (p.entry & 4294967295) || ' ' || p.time || ' ' || p.tie || ' ' || hex(i.identity)
            || ' ' || coalesce((SELECT hex(id) FROM targets WHERE number = p.parent), '-')
            || ' ' || coalesce((SELECT hex(id) FROM targets WHERE number = p.root), '-')
            FROM posts p JOIN logs l ON l.number = p.entry >> 32 JOIN identities i ON i.number = p.identity
            """
        ),
        (
            "channel",
            """
            SELECT c.name || ' ' || pc.time || ' ' || pc.tie || ' ' || hex(l.log) || ' ' || (p.entry & 4294967295)
            FROM post_channels pc JOIN channels c ON c.number = pc.channel JOIN posts p ON p.arrival = pc.post
            JOIN logs l ON l.number = p.entry >> 32
            """
        ),
        ("channels", "SELECT name || ' ' || posts FROM channels WHERE posts > 0"),
        (
            "edit",
            """
            SELECT hex(t.id) || ' ' || hex(i.identity) || ' ' || e.clock || ' ' || hex(l.log) || ' ' ||
            (e.entry & 4294967295) FROM edits e JOIN targets t ON t.number = e.target
            JOIN identities i ON i.number = e.identity JOIN logs l ON l.number = e.entry >> 32
            """
        ),
        (
            "delete",
            """
            SELECT hex(t.id) || ' ' || hex(i.identity) FROM deletes d JOIN targets t ON t.number = d.target
            JOIN identities i ON i.number = d.identity
            """
        ),
        (
            "profile",
            """
            SELECT hex(i.identity) || ' ' || p.field || ' ' || p.clock || ' ' || hex(l.log) || ' ' ||
            (p.entry & 4294967295) FROM profiles p
            JOIN identities i ON i.number = p.identity JOIN logs l ON l.number = p.entry >> 32
            """
        ),
        (
            "vote",
            """
            SELECT hex(t.id) || ' ' || hex(i.identity) || ' ' || v.value || ' ' || v.clock || ' ' || hex(l.log) || ' ' ||
            (v.entry & 4294967295) || ' ' || v.place FROM votes v JOIN targets t ON t.number = v.target
            JOIN identities i ON i.number = v.identity JOIN logs l ON l.number = v.entry >> 32
            """
        ),
        (
            "follow",
            """
            SELECT hex(i.identity) || ' ' || hex(f.identity) || ' ' || v.value || ' ' || v.clock || ' ' || hex(l.log)
            || ' ' || (v.entry & 4294967295) || ' ' || v.place FROM follows v
            JOIN identities i ON i.number = v.identity JOIN identities f ON f.number = v.followed
            JOIN logs l ON l.number = v.entry >> 32
            """
        ),
        ("clock", "SELECT hex(identity) || ' ' || clock FROM identities WHERE clock > 0"),
    ]
}
