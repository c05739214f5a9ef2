import Entries
import Sodium
import TestSupport
import Testing

@testable import Sync

/// The dialogues of the reference implementation, byte for byte.
struct NegentropyVectorTests {
    private struct Dialogue: Decodable {
        struct Line: Decodable {
            let from: String
            let hex: String
        }

        struct Item: Decodable {
            let item: TimedItem

            init(from decoder: any Decoder) throws {
                var values = try decoder.unkeyedContainer()
                let seconds = try values.decode(UInt32.self)
                let id = try values.decode(String.self)
                guard let id = Bytes32([UInt8](hex: id)) else { throw NegentropyError.truncated }
                item = TimedItem(seconds: seconds, log: 0, id: id)
            }
        }

        let name: String
        let frameSizeLimit: Int
        let common: [Item]
        let clientOnly: [Item]
        let serverOnly: [Item]
        let messages: [Line]
        let have: [String]
        let need: [String]
    }

    @Test(.enabled(if: Vectors.areExpected))
    func `Both sides say what the reference says`() throws {
        let dialogues = try Vectors.published("negentropy.json", as: [Dialogue].self)
        #expect(dialogues.count == 12)
        for dialogue in dialogues {
            let limit = dialogue.frameSizeLimit == 0 ? nil : dialogue.frameSizeLimit
            let common = dialogue.common.map(\.item)
            let client = Negentropy(FingerprintTree(common + dialogue.clientOnly.map(\.item)), frameLimit: limit)
            let server = Negentropy(FingerprintTree(common + dialogue.serverOnly.map(\.item)), frameLimit: limit)
            var have: Set<Bytes32> = []
            var need: Set<Bytes32> = []
            var written: [[UInt8]] = []
            var message: [UInt8]? = client.opening()
            while let question = message {
                let answer = try server.answer(question).message
                written += [question, answer]
                let step = try client.next(answer)
                have.formUnion(step.have.map(\.id))
                need.formUnion(step.need)
                message = step.message
            }
            let expected = dialogue.messages.map { [UInt8](hex: $0.hex) }
            let difference = zip(written, expected).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            #expect(difference == nil, "\(dialogue.name)")
            #expect(written.count == expected.count, "\(dialogue.name)")
            #expect(have == Set(dialogue.have.compactMap { Bytes32([UInt8](hex: $0)) }), "\(dialogue.name)")
            #expect(need == Set(dialogue.need.compactMap { Bytes32([UInt8](hex: $0)) }), "\(dialogue.name)")
        }
    }
}
