import Entries
import Foundation
import GRDB
import Testing

@testable import Storage

#if canImport(Glibc)
    import Glibc

    /// A disk of a few megabytes, where the system lets the tests mount one; elsewhere `max_page_count` stands for it.
    private final class TinyDisk {
        let path: String

        init?(bytes: Int) {
            path = FileManager.default.temporaryDirectory.path + "/scurry-disk-" + UUID().uuidString
            guard mkdir(path, 0o700) == 0 else { return nil }
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0 else {
                rmdir(path)
                return nil
            }
        }

        deinit {
            umount2(path, Int32(MNT_DETACH))
            rmdir(path)
        }
    }

    @Suite struct FullDiskTests {
        @Test func `A full disk is said and loses nothing`() throws {
            guard let disk = TinyDisk(bytes: 3 << 20) else { return }
            let store = try EntryStore(.file(disk.path + "/store.sqlite"), network: Device.network, creation: .ifAbsent)
            let own = try Device(person: 1)
            try store.registerOwnLog(own.certificate)
            var saved: [EntryID] = []
            var failure: AppendError?
            let text = String(repeating: "long ", count: 4_000)
            while failure == nil, saved.count < 1_000 {
                do {
                    let post = Payload.post(try Post(salt: .test, text: text))
                    let append = try store.append(post, with: own.key, at: 1, publication: .held)
                    saved += append.chunk.entries.map(\.id)
                } catch {
                    failure = error as? AppendError
                }
            }
            #expect(failure == .storage(.diskFull))
            #expect(try store.feed().count == saved.count)
            try store.close()
            // A second start finds all that was said to be saved, and can be read while nothing can be written.
            let reader = try StoreReader(path: disk.path + "/store.sqlite", network: Device.network)
            #expect(try reader.status().entries == saved.count)
        }

        @Test func `A budget is set where the file cannot be written anew`() throws {
            guard let disk = TinyDisk(bytes: 64 << 20) else { return }
            let store = try EntryStore(.file(disk.path + "/store.sqlite"), network: Device.network, creation: .ifAbsent)
            let device = try Device(person: 1)
            for number in 0..<250 {
                try device.post(String(repeating: "x", count: 60_000), time: UInt64(number))
                try store.take(device.chunk(number..<number + 1))
            }
            // Room to evict bodies in, and not for a copy of what is left.
            let free = try #require(ReadOnlyDisk.freeBytes(beside: disk.path + "/store.sqlite"))
            let filler = [UInt8](repeating: 1, count: Int(free) - (5 << 20))
            #expect(FileManager.default.createFile(atPath: disk.path + "/filler", contents: Data(filler)))
            let budget = DiskBudget(bytes: 14 << 20)
            let outcome = try store.keep(within: budget) { 1_000_000 }
            guard case .fileStays(let bytes, .noRoom(let needed, let free)) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            let use = try store.roomUse()
            #expect(bytes == use.fileBytes && bytes > budget.bytes && needed > free)
            #expect(use.usedBytes <= budget.highBytes && use.evictedBodies > 0)
            try device.post("it goes on", time: 999)
            try store.take(device.chunk(250..<251))
            #expect(try store.text(of: device.entries[250].id) == "it goes on")
        }

        @Test func `A budget is set on a disk that is full`() throws {
            guard let disk = TinyDisk(bytes: 24 << 20) else { return }
            let store = try EntryStore(.file(disk.path + "/store.sqlite"), network: Device.network, creation: .ifAbsent)
            let device = try Device(person: 1)
            for number in 0..<200 {
                try device.post(String(repeating: "x", count: 60_000), time: UInt64(number))
                try store.take(device.chunk(number..<number + 1))
            }
            // What the log has takes whatever is small.
            try store.writer.writeWithoutTransaction { _ = try Durability.scrub($0) }
            let filler = FileManager.default.createFile(atPath: disk.path + "/filler", contents: nil)
            #expect(filler)
            let file = try #require(FileHandle(forWritingAtPath: disk.path + "/filler"))
            while (try? file.write(contentsOf: [UInt8](repeating: 1, count: 4_096))) != nil {}
            let outcome = try store.keep(within: DiskBudget(bytes: 8 << 20)) { 1_000_000 }
            guard case .fileStays(_, .failed(.diskFull)) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(try store.reader.status().entries == 200)
        }
    }
#endif
