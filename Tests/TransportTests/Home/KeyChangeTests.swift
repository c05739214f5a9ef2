import Entries
import Sodium
import Storage
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Coming back with the words, and being killed on the way.
@Suite struct KeyChangeTests {
    private let directory = TemporaryDirectory()

    private struct Stopped {
        let home: Home
        let words: RecoveryWords
        let certificate: SignedCertificate
    }

    /// A home whose signing has stopped.
    private func stopped() throws -> Stopped {
        var words: RecoveryWords?
        let home = try Home.create(
            at: HomeLayout(directory: directory.path + "/home"),
            network: "test",
            for: .person(show: { words = $0 })
        )
        let store = try home.openStore()
        try store.stopSigning(.copied)
        try store.close()
        return Stopped(
            home: home,
            words: try #require(words),
            certificate: try #require(try home.keys().device).certificate
        )
    }

    private func writes(_ home: Home) throws -> Bool {
        let payload = Payload.post(try Post(salt: Self.salt(), text: "x"))
        do throws(WriteError) {
            _ = try Writer(home, patience: patience).write(payload)
            return true
        } catch {
            guard case .refused(.signingStopped) = error else { throw error }
            return false
        }
    }

    private static func salt() -> Salt {
        var random = TestRandomness()
        return Salt(using: &random)
    }

    @Test func `The words give the home a new key and a new log, with a higher serial`() throws {
        let before = try stopped()
        let continuation = try before.home.takeBack(before.words)
        let after = try #require(try before.home.keys().device).certificate
        #expect(after.log == continuation.log && after.log != before.certificate.log)
        #expect(after.certificate.identity == before.certificate.certificate.identity)
        #expect(after.certificate.serial > before.certificate.certificate.serial)
        #expect(try directory.permissions(before.home.layout.deviceKey) == 0o600)
        #expect(try FileSystem.names(in: before.home.layout.keys).sorted() == ["device.key", "node.key"])
        #expect(try writes(before.home))
        #expect(throws: ReturnError.stillWriting) { try before.home.takeBack(before.words) }
    }

    @Test func `A key waits for whoever works on the file that it replaces`() async throws {
        let before = try stopped()
        let (home, words) = (before.home, before.words)
        var turn: KeyTurn? = try KeyTurn(home.layout)
        async let change = blocking { try home.takeBack(words) }
        // The store names the new log: only the file is left to do.
        let store = try StoreReader(path: home.layout.store, network: nil)
        while try store.highestSerial(of: IdentityID(raw: words.rootKey.publicKey))
            == before.certificate.certificate.serial
        {
            await Task.yield()
        }
        for _ in 0..<1_000 { await Task.yield() }
        #expect(FileSystem.exists(home.layout.deviceKey + ".next"))
        #expect(try home.keys().device?.certificate == before.certificate)
        withExtendedLifetime(turn) {}
        turn = nil
        let log = try await change.log
        #expect(try home.keys().device?.certificate.log == log)
    }

    @Test func `The node key that is replaced is overwritten, whoever has it open`() throws {
        let before = try stopped()
        let node = try before.home.nodeID()
        let old = try OpenFile(before.home.layout.nodeKey, for: .read)
        let size = try old.facts().size
        _ = try before.home.takeBack(before.words)
        #expect(try before.home.nodeID() != node)
        let left = try old.bytes(size, at: 0)
        #expect(size > 0 && left == [UInt8](repeating: 0, count: size))
    }

    @Test func `Killed before the store names the new log, the home is as it was`() throws {
        let before = try stopped()
        let change = KeyChange(layout: before.home.layout)
        _ = try change.begin(root: before.words.rootKey, network: before.home.network, serial: 99)
        #expect(try before.home.keys().device?.certificate == before.certificate)
        #expect(try !writes(before.home))
        #expect(try FileSystem.names(in: before.home.layout.keys).sorted() == ["device.key", "node.key"])
        _ = try before.home.takeBack(before.words)
        #expect(try writes(before.home))
    }

    @Test func `Killed after the store names the new log, the next process puts the key in its place`() throws {
        let before = try stopped()
        let home = before.home
        let change = KeyChange(layout: home.layout)
        let device = try change.begin(root: before.words.rootKey, network: home.network, serial: 99)
        let certificate = device.certificate
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        _ = try store.replaceOwnLog(certificate, with: device.signing, facts: home.facts, at: 1)
        try store.close()
        #expect(try home.keys().device?.certificate == before.certificate)
        #expect(try writes(home))
        #expect(try home.keys().device?.certificate == certificate)
        #expect(try FileSystem.names(in: home.layout.keys).sorted() == ["device.key", "node.key"])
    }

    @Test func `A change that was killed leaves no key without a passphrase behind a lock`() throws {
        let before = try stopped()
        let layout = HomeLayout(data: before.home.layout.data, settings: before.home.layout.settings, memory: [])
        let home = try Home(opening: layout)
        let cost = PasswordHash.Cost(passes: 1, memoryKibibytes: 8_192)
        func lock(_ text: String?) throws -> Home.LockOutcome {
            var bytes = Array((text ?? "").utf8)
            let secret = text.map { _ in SecretBytes(moving: &bytes) }
            return try home.lock(settingIfNone: secret, cost: cost)
        }
        #expect(try lock("open sesame") == .locked)
        let change = KeyChange(layout: layout)
        let device = try change.begin(root: before.words.rootKey, network: home.network, serial: 99)
        let half = layout.deviceKey + ".next.new-4f"
        try FileSystem.replace(half, with: [UInt8](repeating: 7, count: DeviceKeyFile.openBytes))
        let store = try EntryStore(.file(layout.store), network: home.network, creation: .never)
        _ = try store.replaceOwnLog(device.certificate, with: device.signing, facts: home.facts, at: 1)
        try store.close()
        // While it is under way nothing is said to be locked.
        var taken: HomeLock? = try HomeLock(layout)
        #expect(throws: HomeError.busy(process: FileSystem.process)) { try lock(nil) }
        withExtendedLifetime(taken) {}
        taken = nil
        #expect(try lock(nil) == .passphraseMissing)
        #expect(try FileSystem.names(in: layout.keys).sorted() == ["device.key", "node.key"])
        #expect(try lock("open sesame") == .locked)
        #expect(try home.keys().device == nil && home.keys().certificate == device.certificate)
    }

    @Test func `The old key's bytes are wiped, and the new one is there for its owner alone`() throws {
        let before = try stopped()
        let old = try OpenFile(before.home.layout.deviceKey, for: .read)
        _ = try before.home.takeBack(before.words)
        var bytes = [UInt8](repeating: 1, count: DeviceKeyFile.openBytes)
        #expect(pread(old.descriptor, &bytes, bytes.count, 0) == DeviceKeyFile.openBytes)
        #expect(bytes == [UInt8](repeating: 0, count: DeviceKeyFile.openBytes))
        #expect(try directory.permissions(before.home.layout.keys) == 0o700)
        #expect(try directory.permissions(before.home.layout.deviceKey) == 0o600)
    }

    @Test func `Where the passphrase is lost, the words make a new key without one`() throws {
        let before = try stopped()
        let home = before.home
        // Where nothing may hold an opened key.
        let layout = HomeLayout(data: home.layout.data, settings: home.layout.settings, memory: [])
        let closed = try Home(opening: layout)
        _ = try closed.keep()
        let device = try #require(try closed.keys().device)
        var bytes = Array("open sesame".utf8)
        let cost = PasswordHash.Cost(passes: 1, memoryKibibytes: 8_192)
        #expect(try closed.lock(settingIfNone: SecretBytes(moving: &bytes), cost: cost) == .locked)
        #expect(throws: WriteError.refused(.locked)) {
            try Writer(closed).write(.post(Post(salt: Self.salt(), text: "x")))
        }
        let store = try closed.openStore()
        try store.stopSigning(.copied)
        try store.close()
        // Stopped is said before locked.
        #expect(try !writes(closed))
        #expect(throws: ReturnError.noKey) { try closed.keep() }
        _ = try closed.keep(lent: device)
        let node = try closed.keys().node.publicKey
        _ = try closed.takeBack(before.words)
        #expect(try closed.keys().device != nil)
        // Nothing says that another home has this node's key.
        #expect(try closed.keys().node.publicKey == node)
        #expect(try writes(closed))
    }

    @Test func `A key that is damaged or for another network is told apart, and the words replace it`() throws {
        let before = try stopped()
        let path = before.home.layout.deviceKey
        _ = try before.home.keep()
        let good = try #require(try FileSystem.read(path, limit: 4_096))
        let foreign = DeviceSecrets(drawnFor: NetworkID(name: "elsewhere"), root: before.words.rootKey, serial: 1)
        try DeviceKeyFile.write(foreign, to: path)
        #expect(throws: HomeError.foreignNetwork(path)) { try before.home.keys() }
        #expect(try before.home.usableKey() == nil)
        var unsigned = try #require(try FileSystem.read(path, limit: 4_096))
        unsigned[unsigned.count - 1] ^= 1
        try FileSystem.replace(path, with: unsigned)
        #expect(throws: HomeError.damaged(path)) { try before.home.keys() }
        try FileSystem.replace(path, with: good)
        #expect(throws: ReturnError.stillWriting) { try before.home.takeBack(before.words) }
        try FileSystem.replace(path, with: unsigned)
        _ = try before.home.takeBack(before.words)
        #expect(try writes(before.home))
    }

    @Test func `A key of another log keeps nothing`() throws {
        let before = try stopped()
        let other = DeviceSecrets(drawnFor: before.home.network, root: before.words.rootKey, serial: 1)
        try DeviceKeyFile.write(other, to: before.home.layout.deviceKey)
        #expect(throws: ReturnError.noKey) { try before.home.keep() }
        #expect(throws: ReturnError.noKey) { try before.home.keep(lent: other.key) }
    }

    @Test func `A half-written new key is thrown away`() throws {
        let before = try stopped()
        try FileSystem.replace(before.home.layout.deviceKey + ".next", with: "scurry devi")
        #expect(try !writes(before.home))
        #expect(try before.home.keys().device?.certificate == before.certificate)
    }

    @Test func `Another person's words change nothing`() throws {
        let before = try stopped()
        let words = try #require(RecoveryWords(entropy: .random(count: RecoveryWords.entropyBytes)))
        #expect(throws: ReturnError.anotherPerson) { try before.home.takeBack(words) }
        #expect(try before.home.keys().device?.certificate == before.certificate)
    }

    @Test func `A new home has facts, and they are of its database`() throws {
        let home = try directory.home()
        let facts = home.facts
        #expect(facts.inode != nil)
        let store = try home.openStore()
        #expect(try store.check(facts) == .same)
        #expect(try store.check(HomeFacts(inode: 1)) == .moved)
    }

    @Test func `A home without its device key asks for the words, and is no hub`() throws {
        let before = try stopped()
        try FileSystem.remove(before.home.layout.deviceKey)
        #expect(try !writes(before.home))
        #expect(throws: ReturnError.noKey) { try before.home.keep() }
        _ = try before.home.takeBack(before.words)
        #expect(try writes(before.home))
    }
}
