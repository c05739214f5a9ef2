import Entries
import Storage

/// The latest posts of one device, with their places in its log, for `id revoke --keep-through`.
struct DevicePosts {
    let device: DeviceView
    let short: SafeText
    let desk: ReadingDesk

    func write(atMost limit: Int, heading: [StyledLine], _ form: ReadingOptions.Form, on console: Console) throws {
        let rows = try Problems.naming { () throws(StorageError) in
            try desk.store.posts(of: device.log, limit: limit, reader: desk.own)
        }
        switch form {
        case .json:
            for row in rows {
                var object = PostJSON.object(row, desk: desk)
                object["place"] = .unsigned(Self.place(row))
                try console.out.write(object)
            }
        case .text: try console.out.page(heading + lines(rows, console))
        }
        try console.out.flush()
        desk.remember(rows.map(\.id))
    }

    /// Number of entries to keep so that this post is the last one kept.
    static func place(_ row: PostRow) -> UInt64 { row.sequence + 1 }

    private func lines(_ rows: [PostRow], _ console: Console) -> [StyledLine] {
        let look = console.out.look
        guard let last = rows.first else { return [StyledLine("   no posts of it are here", .dim)] }
        let shorts = desk.shorts(for: rows.map(\.id))
        let width = rows.map { "\(Self.place($0))".count }.max() ?? 1
        let list = rows.map { row in
            let place = "\(Self.place(row))"
            let padding = SafeText(line: String(repeating: " ", count: width - place.count))
            let start: SafeText = "   \(padding)\(SafeText(line: place))  \(console.clock.short(row.time))  "
            let text = desk.summary(of: row, short: shorts[row.id] ?? "", author: .left)
            return StyledLine((start + text).truncated(to: look.width - 1))
        }
        let command: SafeText = "scurry id revoke \(short) --keep-through \(shorts[last.id] ?? "")"
        let next = CommandText.lines("to cut it off behind one of them:", command: command, width: look.width - 1)
        return list + next.map { StyledLine(" " + $0) }
    }
}
