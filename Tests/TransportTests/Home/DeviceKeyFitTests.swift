import Entries
import Sodium
import Storage
import Testing

@testable import Transport

/// Whether the device key of a home is that of its own log.
@Suite struct DeviceKeyFitTests {
    private let directory = TemporaryDirectory()

    private func fit(_ home: Home) throws -> DeviceKeyFit { try home.keyFit(in: home.storeReader()) }

    private func copyKey(from source: Home, to target: Home) throws {
        let bytes = try #require(try FileSystem.read(source.layout.deviceKey, limit: 4_096))
        try FileSystem.replace(target.layout.deviceKey, with: bytes)
    }

    @Test func `It is the home's own, another log's, or not there`() throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        #expect(try fit(home) == .own)
        #expect(try home.signingStop(in: home.storeReader()) == nil)
        try copyKey(from: other, to: home)
        #expect(try fit(home) == .other)
        #expect(try home.signingStop(in: home.storeReader()) == .otherKey)
        try FileSystem.remove(home.layout.deviceKey)
        #expect(try fit(home) == .absent)
        #expect(try home.signingStop(in: home.storeReader()) == nil)
        try FileSystem.replace(home.layout.deviceKey, with: "damaged")
        #expect(try fit(home) == .unknown)
    }

    @Test func `A locked key is compared by its certificate`() throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        let cost = PasswordHash.Cost(passes: 1, memoryKibibytes: 8_192)
        for home in [home, other] {
            var passphrase = Array("open sesame".utf8)
            let secret = SecretBytes(moving: &passphrase)
            #expect(try home.lock(settingIfNone: secret, cost: cost) == .locked)
        }
        #expect(try fit(home) == .own)
        try copyKey(from: other, to: home)
        #expect(try fit(home) == .other)
    }

    @Test func `The old key beside one that a killed change left is no other log's`() throws {
        let home = try directory.home()
        let root = try #require(SigningKey(seed: .random(count: 32)))
        let hub = try Home.create(at: HomeLayout(directory: directory.path + "/hub"), network: "test", for: .hub)
        #expect(try fit(hub) == .unknown)
        // As after `id restore` in a hub that has a device key of somebody, killed before its last step.
        try copyKey(from: home, to: hub)
        let device = try KeyChange(layout: hub.layout).begin(root: root, network: hub.network, serial: 99)
        let store = try EntryStore(.file(hub.layout.store), network: hub.network, creation: .never)
        _ = try store.replaceOwnLog(device.certificate, with: device.signing, facts: hub.facts, at: 1)
        try store.close()
        #expect(try fit(hub) == .own)
        try FileSystem.remove(hub.layout.deviceKey + ".next")
        #expect(try fit(hub) == .other)
    }
}
