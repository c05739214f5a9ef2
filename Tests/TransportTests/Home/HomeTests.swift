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

@Suite struct HomeTests {
    private let directory = TemporaryDirectory()
    private var layout: HomeLayout { HomeLayout(directory: directory.path + "/home") }

    private struct Refused: Error {}

    @Test func `A new home opens again with the same keys and network`() throws {
        let made = try Home.create(at: layout, network: "campus", for: .person(show: { _ in }))
        let opened = try Home(opening: layout)
        #expect(opened == made)
        #expect(opened.network == NetworkID(name: "campus"))
        let (first, second) = (try made.keys(), try opened.keys())
        #expect(first.node.publicKey == second.node.publicKey)
        let device = try #require(second.device)
        #expect(first.device?.certificate == device.certificate)
        #expect(device.certificate.certificate.network == opened.network)
        #expect(
            try SignedCertificate(verifying: device.certificate.bytes, network: opened.network) == device.certificate
        )
    }

    @Test func `The words that are shown are the root of the device's certificate`() throws {
        var words: [String] = []
        let home = try Home.create(at: layout, network: "campus", for: .person(show: { words = $0.words }))
        let root = try RecoveryWords(parsing: words.joined(separator: " ")).rootKey
        #expect(try home.keys().device?.certificate.certificate.identity.raw == root.publicKey)
    }

    @Test func `The own log is registered in the store`() throws {
        let home = try directory.home()
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        #expect(try store.ownCertificate() == home.keys().device?.certificate)
    }

    @Test func `A hub has a node key and no person`() throws {
        let home = try Home.create(at: layout, network: "campus", for: .hub)
        #expect(try home.keys().device == nil)
    }

    @Test func `Home and keys are closed to everybody else`() throws {
        let home = try directory.home()
        #expect(try directory.permissions(home.layout.data) == 0o700)
        #expect(try directory.permissions(home.layout.keys) == 0o700)
        #expect(try directory.permissions(home.layout.nodeKey) == 0o600)
        #expect(try directory.permissions(home.layout.deviceKey) == 0o600)
    }

    @Test func `A second init leaves the home as it is`() throws {
        let home = try directory.home()
        let before = try home.keys().node.publicKey
        #expect(throws: HomeError.exists(home.layout.data)) { try directory.home() }
        #expect(try home.keys().node.publicKey == before)
    }

    @Test func `If showing the words fails there is no home, and another init makes one`() throws {
        #expect(throws: Refused.self) {
            try Home.create(
                at: layout,
                network: "campus",
                for: .person(show: { _ in
                    // All of it is on disk, and none of it counts.
                    #expect(throws: HomeError.unfinished(layout.data)) { try Home(opening: layout) }
                    throw Refused()
                })
            )
        }
        #expect(throws: HomeError.absent(layout.data)) { try Home(opening: layout) }
        _ = try Home.create(at: layout, network: "campus", for: .hub)
    }

    @Test func `An init that died is started over, and nothing of it remains`() throws {
        let died = try Home.create(at: layout, network: "campus", for: .person(show: { _ in }))
        let lost = try died.keys().node.publicKey
        try FileSystem.replace(layout.unfinished, with: "")
        #expect(throws: HomeError.unfinished(layout.data)) { try Home(opening: layout) }
        let home = try Home.create(at: layout, network: "other", for: .hub)
        #expect(try home.keys().node.publicKey != lost)
        #expect(try home.keys().device == nil)
        #expect(home.networkName == "other")
    }

    @Test func `Keys without the mark of an unfinished init are never thrown away`() throws {
        let home = try directory.home()
        try FileSystem.remove(home.layout.network)
        #expect(throws: HomeError.damaged(home.layout.network)) { try directory.home() }
        #expect(try home.keys().device != nil)
    }

    @Test func `A directory that is not there is no home`() {
        #expect(throws: HomeError.absent(layout.data)) { try Home(opening: layout) }
    }

    @Test(arguments: [UInt32(0o640), 0o604, 0o660])
    func `A key that others can get at is refused`(permissions: UInt32) throws {
        let home = try directory.home()
        try FileSystem.setPermissions(permissions, of: home.layout.deviceKey)
        #expect(throws: HomeError.exposed(home.layout.deviceKey, permissions: "600")) { try home.keys() }
        try FileSystem.setPermissions(0o600, of: home.layout.deviceKey)
        try FileSystem.setPermissions(0o750, of: home.layout.keys)
        #expect(throws: HomeError.exposed(home.layout.keys, permissions: "700")) { try home.keys() }
    }

    @Test func `A home that others may write to is refused`() throws {
        let home = try directory.home()
        try FileSystem.setPermissions(0o770, of: home.layout.data)
        #expect(throws: HomeError.exposed(home.layout.data, permissions: "700")) { try Home(opening: home.layout) }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func `A home of another user is refused`() throws {
        let home = try directory.home()
        #expect(chown(home.layout.data, 65_534, 65_534) == 0)
        #expect(throws: HomeError.foreignOwner(home.layout.data)) { try Home(opening: home.layout) }
    }

    @Test func `A home without its node's key misses it, and does not call it damaged`() throws {
        let home = try directory.home()
        try FileSystem.remove(home.layout.nodeKey)
        #expect(throws: HomeError.missing(home.layout.nodeKey)) { try home.keys() }
    }

    @Test func `A key file with a changed byte is damaged`() throws {
        let home = try directory.home()
        for path in [home.layout.nodeKey, home.layout.deviceKey] {
            let bytes = try #require(try FileSystem.read(path, limit: 4_096))
            // Every region: mark, secrets, public half.
            for place in stride(from: 0, to: min(bytes.count, 120), by: 7) {
                var changed = bytes
                changed[place] ^= 0x10
                try changed.withUnsafeBytes { try FileSystem.replace(path, with: $0) }
                #expect(throws: HomeError.damaged(path), "byte \(place)") { try home.keys() }
            }
            try bytes.dropLast().withUnsafeBytes { try FileSystem.replace(path, with: $0) }
            #expect(throws: HomeError.damaged(path)) { try home.keys() }
            try bytes.withUnsafeBytes { try FileSystem.replace(path, with: $0) }
        }
        _ = try home.keys()
    }

    @Test(arguments: ["", "two words", "line\nbreak", String(repeating: "n", count: 65), "grün"])
    func `A network's name that cannot be told from another is refused`(name: String) {
        #expect(throws: HomeError.badNetworkName) { try Home.create(at: layout, network: name, for: .hub) }
    }

    @Test func `A second process is told which one holds the home`() throws {
        let home = try directory.home()
        let lock = try HomeLock(home.layout)
        #expect(throws: HomeError.busy(process: getpid())) { try HomeLock(home.layout) }
        withExtendedLifetime(lock) {}
    }

    @Test func `A lock is free when its holder lets go`() throws {
        let home = try directory.home()
        do { _ = try HomeLock(home.layout) }
        _ = try HomeLock(home.layout)
    }
}
