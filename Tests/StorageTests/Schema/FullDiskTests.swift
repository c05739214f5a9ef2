import Entries
import Foundation
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
        @Test func aFullDiskIsSaidAndLosesNothing() throws {
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
    }
#endif
