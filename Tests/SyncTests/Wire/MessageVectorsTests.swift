import Entries
import Foundation
import Sodium
import Testing

@testable import Sync

/// `protocol/vectors/sync.json`: bodies of messages and what a reader makes of them, made by another program.
struct MessageVectorsTests {
    private struct File: Decodable {
        let messages: [Vector]
    }

    private struct Vector: Decodable {
        let name: String
        let type: UInt8
        let body: String
        let verdict: String
    }

    private let verdicts: [String: SyncViolation] = [
        "length": .wrongFieldLength,
        "impossibleSize": .impossibleNumber,
        "port": .impossibleNumber,
        "credit": .impossibleNumber,
        "malformed": .malformedMessage,
        "tooMany": .tooManyItems,
        "version": .impossibleVersions,
        "order": .impossiblePage,
        "page": .impossiblePage,
    ]

    private func load() throws -> [Vector] {
        let here = URL(fileURLWithPath: #filePath)
        let root = (0..<4).reduce(here) { place, _ in place.deletingLastPathComponent() }
        let file = root.appendingPathComponent("protocol/vectors/sync.json")
        return try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).messages
    }

    @Test func everyVerdictIsTheSame() throws {
        let vectors = try load()
        for vector in vectors {
            let verdict = verdict(vector)
            #expect(vector.verdict == "ok" || verdicts[vector.verdict] != nil, "\(vector.verdict)")
            #expect(verdict == verdicts[vector.verdict], "\(vector.type) \(vector.name)")
        }
        #expect(vectors.count == 93)
    }

    private func verdict(_ vector: Vector) -> SyncViolation? {
        do throws(SyncViolation) {
            let message = try Message(Frame(type: vector.type, body: [UInt8](hex: vector.body)))
            #expect(message != nil, "\(vector.name)")
            // What was read is written and read again as the same.
            guard let message else { return nil }
            let again = try Message(message.frame)
            #expect(again == message, "\(vector.name)")
            return nil
        } catch {
            return error
        }
    }
}
