import Entries
import Simulation
import Testing

@testable import Sync

/// Runs the dialogues of `protocol/vectors/near.json`: a stranger says them to a node that has nothing.
struct DialogueVectorTests {
    private struct File: Decodable {
        let network: String
        let dialogues: [Dialogue]
    }

    struct Dialogue: Decodable, CustomTestStringConvertible {
        struct Said: Decodable {
            let type: UInt8
            let body: String
        }

        let name: String
        /// How the receiver came to the connection: `accepted` or `dialled`.
        let receiver: String
        let messages: [Said]
        let verdict: String

        var testDescription: String { name }
    }

    @Test func `Every dialogue ends as the pages say`() throws {
        let file = try Vectors.project(File.self, from: "near.json")
        #expect(NetworkID(name: file.network) == World(WorldOptions(seed: 0)).network)
        for (place, dialogue) in file.dialogues.enumerated() {
            #expect(try Self.verdict(of: dialogue, seed: UInt64(place)) == dialogue.verdict, "\(dialogue.name)")
        }
        #expect(file.dialogues.count == 162)
        // Of the 28 violations those that one message alone breaks are in sync.json and channel.json.
        let named = Set(file.dialogues.map(\.verdict)).subtracting(["ok", "ended", "goodbye 3", "goodbye 7"])
        #expect(named.count == 19)
    }

    private static func verdict(of dialogue: Dialogue, seed: UInt64) throws -> String {
        let town = try Town(nodes: 1, seed: 5_000 + seed)
        try town.startAll()
        let stranger =
            dialogue.receiver == "dialled"
            ? Stranger(dialledIn: town.world) : Stranger(town.world, candour: .silent)
        stranger.run(milliseconds: 100)
        for said in dialogue.messages {
            stranger.send(frames: [Frame(type: said.type, body: [UInt8](hex: said.body))])
            stranger.run(milliseconds: 300)
        }
        if let violation = town.violations(0).first { return "\(violation)" }
        return switch stranger.goodbye {
        case .noCommonVersion: "goodbye 3"
        case .scopeNotServed: "goodbye 7"
        case nil: stranger.isOpen ? "ok" : "ended"
        case .some(let other): "\(other)"
        }
    }
}
