import Entries
import Sodium
import Storage
import Testing

@testable import Transport

/// Devices and accounts that are ended with the recovery words, with a node on the home and without.
struct HomeEndingTests {
    private let directory = TemporaryDirectory()

    private static let withControl: NodeOptions = {
        var options = NodeOptions.local
        options.control = .on
        return options
    }()

    private func person(_ name: String = "home") throws -> (home: Home, words: RecoveryWords, log: LogID) {
        var words: RecoveryWords?
        let layout = HomeLayout(directory: directory.path + "/" + name)
        let home = try Home.create(at: layout, network: "test", for: .person(show: { words = $0 }))
        try home.fill(posts: 5, bytes: 20)
        return (home, try #require(words), try #require(home.keys().certificate?.log))
    }

    private func reader(_ home: Home) throws -> StoreReader {
        try StoreReader(path: home.layout.store, network: home.network)
    }

    private func devices(_ home: Home, of words: RecoveryWords) throws -> [DeviceView.State] {
        try reader(home).devices(of: IdentityID(raw: words.rootKey.publicKey)).map(\.state)
    }

    private func refusal(_ body: () throws -> some Any) throws -> EndingError? {
        do throws {
            _ = try body()
            return nil
        } catch let error as EndingError {
            return error
        }
    }

    private func post() throws -> Payload {
        var generator = TestRandomness()
        return .post(try Post(salt: Salt(using: &generator), text: "more"))
    }

    @Test func `A device that is ended keeps what was named and signs nothing more`() throws {
        let (home, words, log) = try person()
        let first = try home.end(.device(log, keeping: .first(3)), by: words)
        #expect(first.settlement.size == 3)
        #expect(try devices(home, of: words) == [.settled(size: 3)])
        #expect(throws: WriteError.refused(.logSettled)) { try Writer(home).write(post()) }
        // A later word overrules, also within the same millisecond.
        let second = try home.end(.device(log, keeping: .everythingHeld), by: words)
        #expect(second.settlement.serial > first.settlement.serial)
        #expect(try devices(home, of: words) == [.settled(size: 5)])
        try home.end(.device(log, keeping: .nothing), by: words)
        #expect(try devices(home, of: words) == [.settled(size: 0)])
    }

    @Test func `What the words cannot end is refused, and nothing is signed`() throws {
        let (home, words, log) = try person()
        let (_, others, foreign) = try person("other")
        #expect(try refusal { try home.end(.device(log, keeping: .nothing), by: others) } == .anotherPerson)
        #expect(try refusal { try home.end(.account, by: others) } == .anotherPerson)
        #expect(try refusal { try home.end(.device(foreign, keeping: .nothing), by: words) } == .unknownDevice)
        #expect(try refusal { try home.end(.device(log, keeping: .first(6)), by: words) } == .notHeld)
        #expect(try devices(home, of: words) == [.writing])
    }

    @Test func `An account that ended signs nothing, and does not end twice`() throws {
        let (home, words, log) = try person()
        try home.end(.account, by: words)
        #expect(try devices(home, of: words) == [.ended])
        #expect(throws: WriteError.refused(.accountEnded)) { try Writer(home).write(post()) }
        #expect(try refusal { try home.end(.account, by: words) } == .ended)
        #expect(try refusal { try home.end(.device(log, keeping: .nothing), by: words) } == .ended)
    }

    @Test func `A node that runs takes it, and signs nothing more`() async throws {
        let (home, words, log) = try person()
        try await withNode(home, options: Self.withControl) { _ in
            _ = try await blocking { try home.end(.device(log, keeping: .everythingHeld), by: words) }
            #expect(try devices(home, of: words) == [.settled(size: 5)])
            let payload = try post()
            let refused = try await blocking {
                do throws(WriteError) {
                    _ = try Writer(home, patience: patience).write(payload)
                    return false
                } catch {
                    return error == .refused(.logSettled)
                }
            }
            #expect(refused)
        }
    }
}
