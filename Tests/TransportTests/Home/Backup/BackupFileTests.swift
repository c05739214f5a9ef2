import Entries
import Sodium
import Storage
import Testing

@testable import Transport

/// Backups that nobody's program wrote: every hash in them is right.
@Suite struct BackupFileTests {
    private let directory = TemporaryDirectory()

    private typealias Record = (kind: BackupFile.Kind, bytes: [UInt8])

    private func file(_ name: String, _ content: [UInt8], size: Int? = nil) -> [Record] {
        var header = ByteWriter()
        header.append(UInt64(size ?? content.count))
        header.append(name.utf8)
        return [(.file, header.bytes)] + (content.isEmpty ? [] : [(.piece, content)])
    }

    /// A home's backup, record by record, without its end.
    private func honest() throws -> [Record] {
        let home = try directory.home("saved")
        let path = directory.path + "/backup"
        try home.backUp(to: path)
        var reader = try BackupReader(path)
        var records: [Record] = []
        while true {
            switch try reader.next() {
            case .file(let name, let size): records += file(name, [], size: Int(size))
            case .piece(let bytes): records.append((.piece, bytes))
            case .end: return records
            }
        }
    }

    private func write(_ records: [Record]) throws -> String {
        var last = Bytes32()
        var writer = ByteWriter()
        writer.append(BackupFile.mark)
        for record in records + [(.end, [])] {
            last = BackupFile.hash(last, record.kind, record.bytes)
            writer.append(record.kind.rawValue)
            writer.append(UInt32(record.bytes.count))
            writer.append(record.bytes)
            writer.append(last)
        }
        let path = directory.path + "/made"
        try FileSystem.replace(path, with: writer.bytes)
        return path
    }

    private var layout: HomeLayout { HomeLayout(directory: directory.path + "/restored") }

    @Test func `What is read a second time is the file that was read first, whatever has its name`() throws {
        let path = try write(try honest())
        var reader = try BackupReader(path)
        func count(_ reader: inout BackupReader) throws -> Int {
            var count = 0
            while true {
                if case .end = try reader.next() { return count }
                count += 1
            }
        }
        let first = try count(&reader)
        try FileSystem.replace(path, with: "another file")
        try reader.rewind()
        let second = try count(&reader)
        #expect(second == first)
    }

    private func expectDamaged(_ records: [Record], _ what: String) throws {
        let path = try write(records)
        #expect(throws: BackupError.damaged, "\(what)") { try Home.create(at: layout, from: path) }
        #expect(!FileSystem.exists(layout.data), "\(what)")
    }

    @Test func `What is written record by record is a backup`() throws {
        let home = try Home.create(at: layout, from: write(honest()))
        #expect(try home.keys().device == nil)
        #expect(try FileSystem.names(in: home.layout.keys) == ["node.key"])
        #expect(try directory.permissions(home.layout.keys) == 0o700)
        #expect(try directory.permissions(home.layout.nodeKey) == 0o600)
        #expect(try directory.permissions(home.layout.store) == 0o600)
    }

    @Test(arguments: [
        "../evil", "/tmp/evil", "keys/../evil", "keys//evil", "keys/", "keys/.evil", "keys/a/b", "evil", "", "drafts",
        "keys/device.key", "keys/device.key.next", "lock", "unfinished", "store.sqlite-wal", "drafts/\u{1B}",
    ])
    func `A name that no home has, or that a backup may not hold, is damage`(name: String) throws {
        try expectDamaged(honest() + file(name, [1]), name)
    }

    @Test func `A file twice, a file too few, and other sizes than are said are damage`() throws {
        let records = try honest()
        let draft = file("drafts/post", [1, 2, 3])
        try expectDamaged(records + draft + draft, "twice")
        try expectDamaged(records + file("drafts/post", [1, 2, 3], size: 4), "less at the end")
        try expectDamaged(file("drafts/post", [1, 2, 3], size: 4) + records, "less before another")
        try expectDamaged(records + file("drafts/post", [1, 2, 3], size: 2), "more")
        try expectDamaged([(.piece, [1])] + records, "of no file")
        try expectDamaged(records + [(.file, [0, 0, 0])], "without a size")
        for required in ["network", "store.sqlite", "keys/node.key"] {
            var isLeftOut = false
            let rest = records.filter { record in
                if record.kind == .file { isLeftOut = record.bytes.dropFirst(8).elementsEqual(required.utf8) }
                return !isLeftOut
            }
            #expect(rest.count < records.count)
            try expectDamaged(rest, required)
        }
    }

    @Test func `A network's name that is longer than any is not read to its end`() throws {
        let records = try honest()
        let first = try #require(records.firstIndex { $0.kind == .piece && $0.bytes == Array("test\n".utf8) })
        var long = records
        // The network is the first line of it all the same.
        long.replaceSubrange(
            first - 1...first,
            with: file("network", Array("test\n".utf8) + Array(repeating: 10, count: 200))
        )
        try expectDamaged(long, "network")
    }

    @Test func `A database or a network that is none leaves no home`() throws {
        for name in ["network", "store.sqlite"] {
            var isIt = false
            let records = try honest().flatMap { record -> [Record] in
                if record.kind == .file {
                    isIt = record.bytes.dropFirst(8).elementsEqual(name.utf8)
                    return isIt ? file(name, Array("a b c".utf8)) : [record]
                }
                return isIt ? [] : [record]
            }
            let path = try write(records)
            #expect(throws: BackupError.self, "\(name)") { try Home.create(at: layout, from: path) }
            #expect(!FileSystem.exists(layout.data), "\(name)")
            for old in ["saved", "backup"] { try Shell.remove(directory.path + "/" + old) }
        }
    }

    @Test func `A backup of another network's database is none`() throws {
        var records = try honest()
        let name = try #require(records.firstIndex { $0.kind == .piece && $0.bytes == Array("test\n".utf8) })
        records[name].bytes = Array("best\n".utf8)
        let path = try write(records)
        #expect(throws: BackupError.home(.store(.foreignNetwork))) { try Home.create(at: layout, from: path) }
        #expect(!FileSystem.exists(layout.data))
    }

    private enum Shell {
        static func remove(_ path: String) throws {
            for name in (try? FileSystem.names(in: path)) ?? [] { try remove(path + "/" + name) }
            FileSystem.removeIfEmpty(path)
            if FileSystem.exists(path) { try FileSystem.remove(path) }
        }
    }
}
