import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Runs what `protocol/vectors/own-log.json` has of a log that is signed on, on a person's word.
struct OwnLogVectorTests {
    private struct File: Decodable {
        struct Home: Decodable {
            let entries: String
        }

        let network: String
        let log: String
        let certificate: String
        let deviceSeed: String
        /// By how many entries they have.
        let homes: [String: Home]
        let resumed: [Case]
    }

    private struct Case: Decodable {
        struct Next: Decodable {
            let sequence: UInt64
            let root: String
        }

        let name: String
        /// Entries that are here, and the size of the head that covers them.
        let stored: Int
        let head: Int
        /// The most that a peer said it holds; nil: none could be asked.
        let shown: UInt64?
        /// Where the next entry goes, and the root before it; nil: nothing is signed yet.
        let next: Next?
    }

    private let file: File
    private let log: VectorLog
    private let network: NetworkID
    private let key: SigningKey

    init() throws {
        let file = try Vectors.own("own-log.json", as: File.self, keys: .inCamelCase)
        let network = NetworkID(name: file.network)
        let bytes = try hex(try #require(file.homes["12"]).entries)
        let id = LogID(raw: try hex32(file.log))
        let entries = try EntryCoding.decode(bytes[...], count: 12, log: id, start: 0)
        var seed = try hex(file.deviceSeed)
        log = try VectorLog(certificate: file.certificate, seed: seed, network: network, entries: entries)
        key = try #require(SigningKey(seed: SecretBytes(moving: &seed)))
        self.file = file
        self.network = network
    }

    /// A home that had stopped, and has fetched what its peers have.
    private func store(_ vector: Case) throws -> EntryStore {
        let store = try EntryStore(.memory, network: network, creation: .ifAbsent)
        try store.registerOwnLog(log.certificate)
        try store.stopSigning(.copied)
        _ = try store.take(try log.chunk(0..<vector.stored, size: vector.head))
        return store
    }

    @Test func `A log is signed on where all of a head is here, and nobody shows more`() throws {
        for vector in file.resumed {
            let store = try store(vector)
            let resume = {
                try store.resumeOwnLog(with: key, facts: HomeFacts(), shown: vector.shown ?? 0, at: 1)
            }
            guard let next = vector.next else {
                #expect(throws: StorageError.ownLogIncomplete, "\(vector.name)") { _ = try resume() }
                continue
            }
            _ = try resume()
            let payload = Payload.post(try Post(salt: .test, text: vector.name))
            let chunk = try store.append(payload, with: key, at: 1, publication: .held).chunk
            #expect(chunk.start == next.sequence, "\(vector.name)")
            #expect(chunk.base.root?.description == next.root, "\(vector.name)")
        }
        #expect(file.resumed.count == 10)
        #expect(file.resumed.count { $0.next == nil } == 5)
    }
}
