import FoundationEssentials
import Entries
import NIOConcurrencyHelpers
import Sodium
import Storage
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A guess that costs little: these tests make many.
private let cheap = PasswordHash.Cost(passes: 1, memoryKibibytes: 8_192)

private func secret(_ text: String) -> SecretBytes {
    var bytes = Array(text.utf8)
    return SecretBytes(moving: &bytes)
}

@Suite(.enabled(if: FileSystem.exists("/dev/shm"), "no file system in memory"))
struct HomeLockingTests {
    private let directory = TemporaryDirectory()
    /// Stands in memory, and goes with the test.
    private let memory = ShortMemory()

    private final class ShortMemory: Sendable {
        let place: MemoryPlace

        init() {
            let name = Randomness.bytes(6).map { String($0, radix: 16) }.joined()
            place = MemoryPlace(root: "/dev/shm", directory: "/dev/shm/scurry-test-" + name)
        }

        deinit {
            for name in (try? FileSystem.names(in: place.directory)) ?? [] { unlink(place.directory + "/" + name) }
            rmdir(place.directory)
        }
    }

    private func home(_ memory: [MemoryPlace]? = nil) throws -> Home {
        let path = directory.path + "/home"
        let layout = HomeLayout(data: path, settings: path, memory: memory ?? [self.memory.place])
        return try Home.create(at: layout, network: "test", for: .person(show: { _ in }))
    }

    private var openedFile: String {
        get throws { try memory.place.directory + "/" + #require(FileSystem.names(in: memory.place.directory).first) }
    }

    @Test func `A home is locked under a passphrase, and only that opens it`() throws {
        let home = try home()
        let before = try #require(try home.keys().device)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .passphraseMissing)
        #expect(try home.keys().device != nil)
        #expect(try home.lock(settingIfNone: secret("open sesame"), cost: cheap) == .locked)
        let locked = try home.keys()
        #expect(locked.device == nil)
        #expect(locked.certificate == before.certificate)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .wasLocked)
        guard case .wrongPassphrase = try home.unlock(secret("open sesamf")) else {
            Issue.record("a wrong passphrase was taken")
            return
        }
        #expect(try home.keys().device == nil)
        guard case .unlocked = try home.unlock(secret("open sesame")) else {
            Issue.record("the passphrase was not taken")
            return
        }
        let opened = try #require(try home.keys().device)
        #expect(opened.signing.publicKey == before.signing.publicKey)
        #expect(opened.sealing.publicKey == before.sealing.publicKey)
        #expect(opened.signing.sign([1]) == before.signing.sign([1]))
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .locked)
        #expect(try home.keys().device == nil)
    }

    @Test func `Nothing of the secrets is left on the disk, nor in memory once it is locked`() throws {
        let home = try home()
        let plain = try #require(try FileSystem.read(home.layout.deviceKey, limit: 4_096))
        let old = try OpenFile(home.layout.deviceKey, for: .read)
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        // The old file has no name any more; its bytes are zeros.
        var bytes = [UInt8](repeating: 1, count: plain.count)
        #expect(pread(old.descriptor, &bytes, bytes.count, 0) == plain.count)
        #expect(bytes == [UInt8](repeating: 0, count: plain.count))
        let locked = try #require(try FileSystem.read(home.layout.deviceKey, limit: 4_096))
        #expect(locked.count == DeviceKeyFile.lockedBytes)
        for part in [16..<48, 48..<80] { #expect(!locked.contains(Array(plain[part]))) }
        _ = try home.unlock(secret("open sesame"))
        let opened = try OpenFile(openedFile, for: .read)
        #expect(try opened.facts().permissions == 0o600)
        #expect(try directory.permissions(memory.place.directory) == 0o700)
        _ = try home.lock(settingIfNone: nil, cost: cheap)
        #expect(try FileSystem.names(in: memory.place.directory).isEmpty)
        #expect(pread(opened.descriptor, &bytes, bytes.count, 0) == plain.count)
        #expect(bytes == [UInt8](repeating: 0, count: plain.count))
    }

    @Test func `A protected key with a changed byte is damaged, wherever it is; not a wrong passphrase`() throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        let path = home.layout.deviceKey
        let bytes = try #require(try FileSystem.read(path, limit: 4_096))
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 0x10
            try FileSystem.replace(path, with: changed)
            #expect(throws: HomeError.damaged(path), "byte \(place)") { try home.keys() }
        }
        for count in [0, 15, 16, bytes.count - 1] {
            try FileSystem.replace(path, with: Array(bytes.prefix(count)))
            #expect(throws: HomeError.damaged(path)) { try home.keys() }
        }
        try FileSystem.replace(path, with: bytes + [0])
        #expect(throws: HomeError.damaged(path)) { try home.keys() }
    }

    /// Whoever can write the file can make a right hash too.
    @Test func `A file that asks for all memory is damaged, and one with other parts opens nothing`() throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        let path = home.layout.deviceKey
        let body = try #require(try FileSystem.read(path, limit: 4_096)).dropLast(32)
        let rewritten = { (place: Int, byte: UInt8) in
            var changed = Array(body)
            changed[place] = byte
            try FileSystem.replace(path, with: changed + SHA256.hash(changed).bytes)
        }
        // The first bytes of passes and memory.
        for place in [16, 20] {
            try rewritten(place, 0x7F)
            #expect(throws: HomeError.damaged(path)) { try home.keys() }
        }
        // Salt, nonce, sealed bytes, tag.
        for place in [24, 40, 270, body.count - 1] {
            try rewritten(place, body[place] ^ 1)
            guard case .wrongPassphrase = try home.unlock(secret("open sesame")) else {
                Issue.record("byte \(place) does not matter")
                continue
            }
        }
    }

    @Test func `An opened key that others could get at, or that is another's, opens nothing`() throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        _ = try home.unlock(secret("open sesame"))
        let file = try openedFile
        let bytes = try #require(try FileSystem.read(file, limit: 4_096))
        #expect(chmod(file, 0o640) == 0)
        #expect(try home.keys().device == nil)
        #expect(chmod(file, 0o600) == 0)
        #expect(chmod(memory.place.directory, 0o750) == 0)
        #expect(try home.keys().device == nil)
        #expect(chmod(memory.place.directory, 0o700) == 0)
        #expect(try home.keys().device != nil)
        var changed = bytes
        changed[20] ^= 1
        try FileSystem.replace(file, with: changed)
        #expect(try home.keys().device == nil)
        // Of another person who had a home at this path.
        let other = directory.path + "/other"
        let layout = HomeLayout(data: other, settings: other, memory: [])
        _ = try Home.create(at: layout, network: "test", for: .person(show: { _ in }))
        try FileSystem.replace(file, with: try #require(try FileSystem.read(layout.deviceKey, limit: 4_096)))
        #expect(try home.keys().device == nil)
    }

    @Test func `A key is found and wiped wherever a session may have put it`() throws {
        let user = FileSystem.user
        let usual = "/run/user/\(user)"
        #expect(MemoryPlace.standard(runtime: nil).map(\.root) == [usual, "/dev/shm"])
        #expect(MemoryPlace.standard(runtime: usual).map(\.root) == [usual, "/dev/shm"])
        #expect(MemoryPlace.standard(runtime: "/elsewhere").map(\.root) == ["/elsewhere", usual, "/dev/shm"])
        #expect(MemoryPlace.standard(runtime: "relative").map(\.root) == [usual, "/dev/shm"])
        let other = ShortMemory()
        let home = try home([memory.place, other.place])
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        let there = try Home(
            opening: HomeLayout(data: home.layout.data, settings: home.layout.settings, memory: [other.place])
        )
        _ = try there.unlock(secret("open sesame"))
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .locked)
        #expect(try there.keys().device == nil)
    }

    @Test func `A key that was opened in another session is found, and wiped by whoever locks`() throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        let other = ShortMemory()
        let there = try Home(
            opening: HomeLayout(data: home.layout.data, settings: home.layout.settings, memory: [other.place])
        )
        _ = try there.unlock(secret("open sesame"))
        #expect(try FileSystem.names(in: other.place.directory).count == 1)
        #expect(try home.keys().device != nil)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .locked)
        #expect(try FileSystem.names(in: other.place.directory).isEmpty)
        #expect(try there.keys().device == nil)
        #expect(!FileSystem.exists(home.layout.openedPlaces))
        // One that is not to be seen just now is looked for again.
        _ = try there.unlock(secret("open sesame"))
        let aside = other.place.directory + ".aside"
        try FileSystem.rename(other.place.directory, to: aside)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .wasLocked)
        try FileSystem.rename(aside, to: other.place.directory)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .locked)
        #expect(try there.keys().device == nil)
    }

    @Test func `What an unlock that was killed left is wiped, and a pipe in its place not waited for`() throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        let directory = try #require(memory.place.make())
        let path = home.layout.openedKey(in: directory)
        let half = path + ".new-4f"
        try FileSystem.replace(half, with: [UInt8](repeating: 7, count: 280))
        let open = try OpenFile(half, for: .read)
        #expect(mkfifo(path, 0o600) == 0)
        let foreign = "\(directory)/another.key"
        try FileSystem.replace(foreign, with: [7])
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .locked)
        #expect(try FileSystem.names(in: directory) == ["another.key"])
        var bytes = [UInt8](repeating: 1, count: 280)
        #expect(pread(open.descriptor, &bytes, bytes.count, 0) == 280)
        #expect(bytes == [UInt8](repeating: 0, count: 280))
    }

    @Test(.enabled(if: geteuid() == 0, "it takes root to make another user's directory"))
    func `A directory that another user made in its place keeps nobody from locking`() throws {
        let home = try home()
        let directory = memory.place.directory
        try FileSystem.makeDirectories(directory)
        let path = home.layout.openedKey(in: directory)
        #expect(mkfifo(path, 0o666) == 0 && chown(directory, 4_711, 4_711) == 0)
        #expect(try home.lock(settingIfNone: secret("open sesame"), cost: cheap) == .locked)
        #expect(try home.lock(settingIfNone: nil, cost: cheap) == .wasLocked)
        #expect(FileSystem.exists(path), "it is none of ours")
    }

    @Test func `Who locks waits for an unlock that is under way, and the other way round`() async throws {
        let home = try home()
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        var turn: KeyTurn? = try KeyTurn(home.layout)
        let hasBegun = NIOLockedValueBox(false)
        async let unlocked = blocking {
            hasBegun.withLockedValue { $0 = true }
            return try home.unlock(secret("open sesame"))
        }
        while !hasBegun.withLockedValue({ $0 }) { await Task.yield() }
        for _ in 0..<20_000 { await Task.yield() }
        #expect(try home.keys().device == nil)
        withExtendedLifetime(turn) {}
        turn = nil
        guard case .unlocked = try await unlocked else {
            Issue.record("it was not unlocked")
            return
        }
        #expect(try home.keys().device != nil)
    }

    @Test func `On a disk, or where nothing is, no key is left; it is the caller's alone, or a node's`() async throws {
        // An ordinary directory is no place for it.
        #expect(MemoryPlace(root: "/proc", directory: "/proc/scurry").make() == nil)
        #expect(MemoryPlace(root: "/nonexistent", directory: "/nonexistent/scurry").make() == nil)
        let home = try home([])
        #expect(!home.layout.makeMemoryPlace())
        _ = try home.lock(settingIfNone: secret("open sesame"), cost: cheap)
        guard case .nowhere(let device) = try home.unlock(secret("open sesame")) else {
            Issue.record("the key lies somewhere")
            return
        }
        #expect(try home.keys().device == nil)
        var generator = TestRandomness()
        let salt = Salt(using: &generator)
        let post = Payload.post(try Post(salt: salt, text: "with a lent key"))
        _ = try Writer(home, device: device.key).write(post)
        #expect(throws: WriteError.refused(.locked)) { try Writer(home).write(post) }
        try await withNode(home) { node in
            await #expect(throws: AppendError.refused(.locked)) { try await node.append(post) }
            let sealed = device.sealed(for: try home.keys().node)
            let short = await node.answer(.unlock(sealed: .init(sealed.dropLast())))
            #expect(short == .failed(NodeFailure("that is not this home's key")))
            #expect(await node.answer(.unlock(sealed: .init(sealed))) == .done)
            _ = try await node.append(post)
            #expect(await node.answer(.keyChanged) == .done)
            await #expect(throws: AppendError.refused(.locked)) { try await node.append(post) }
        }
    }

    @Test func `A hub has nothing to lock`() throws {
        let home = try Home.create(at: HomeLayout(directory: directory.path + "/hub"), network: "test", for: .hub)
        #expect(try home.lock(settingIfNone: secret("open sesame"), cost: cheap) == .hub)
        guard case .hub = try home.unlock(secret("open sesame")) else {
            Issue.record("a hub was unlocked")
            return
        }
    }
}

struct MountTableTests {
    @Test func `The innermost mount decides, the later of two, and escapes are read`() {
        let table = MountTable(
            parsing: """
                /dev/vda / ext4 rw 0 0
                tmpfs /run tmpfs rw 0 0
                server:/home /home nfs4 rw 0 0
                tmpfs /mnt/with\\040space tmpfs rw 0 0
                a /twice ext4 rw 0 0
                b /twice fuse.sshfs rw 0 0
                short
                """
        )
        #expect(table.type(of: "/nonexistent/file") == "ext4")
        #expect(table.type(of: "/run") == "tmpfs")
        #expect(table.type(of: "/runner") == "ext4")
        #expect(table.type(of: "/home/hazel") == "nfs4")
        #expect(table.type(of: "/mnt/with space/x") == "tmpfs")
        #expect(table.type(of: "/twice/x") == "fuse.sshfs")
        #expect(MountTable(parsing: "").type(of: "/") == nil)
        #expect(MountTable.isMemory("tmpfs") && !MountTable.isMemory("ext4"))
    }
}
