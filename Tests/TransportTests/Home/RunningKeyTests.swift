import Entries
import Sodium
import Storage
import Testing

@testable import Transport

/// The channel key of a node, on a home and on what may be its copy.
@Suite struct RunningKeyTests {
    private let directory = TemporaryDirectory()

    @Test(arguments: [SigningStop.copied, .longer, .diverged])
    func `Of what may be a copy it is another one until the person has decided`(stop: SigningStop) throws {
        let home = try directory.home()
        let store = try home.openStore()
        let own = try home.nodeID().raw
        #expect(try home.runningKey(in: store.reader).publicKey == own)
        try store.stopSigning(stop)
        let other = try home.runningKey(in: store.reader).publicKey
        #expect(other != own)
        #expect(try home.runningKey(in: store.reader).publicKey == other)
        // `id keep` goes on with it.
        #expect(try home.nodeID().raw == own)
        let device = try #require(try home.keys().device)
        _ = try store.resumeOwnLog(with: device.signing, facts: home.facts, at: 1)
        #expect(try home.runningKey(in: store.reader).publicKey == own)
        try store.close()
    }

    @Test func `Of a home that signs nothing for a reason of its own it stays`() throws {
        let home = try directory.home()
        let store = try home.openStore()
        try store.stopSigning(.notCarried)
        #expect(try home.runningKey(in: store.reader).publicKey == home.nodeID().raw)
        try store.close()
    }
}
