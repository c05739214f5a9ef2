import Entries
import Foundation
import TestSupport
import Testing

@testable import Sync

/// Runs `protocol/vectors/sync.json`: each body gets its verdict, and what is accepted is written as it was read.
struct MessageVectorTests {
    private struct File: Decodable {
        struct Repeat: Decodable {
            let bytes: String
            let times: Int
        }

        struct Case: Decodable {
            let name: String
            let type: UInt8
            let message: String
            let body: String
            let `repeat`: Repeat?
            let verdict: String

            var frame: Frame {
                var body = [UInt8](hex: body)
                if let more = `repeat` {
                    let unit = [UInt8](hex: more.bytes)
                    for _ in 0..<more.times { body.append(contentsOf: unit) }
                }
                return Frame(type: type, body: body)
            }
        }

        let messages: [Case]
        let negentropy: [Reconciliation]
    }

    private struct Reconciliation: Decodable {
        let name: String
        let bytes: String
        let `repeat`: File.Repeat?
        let verdict: String
    }

    /// Spelled otherwise than this node spells it, or with something that it leaves out.
    private static let respelled: Set<String> = [
        "Peers: one that cannot be used", "Credit: unknown fields", "Credit: varint not the shortest",
        "Credit: the later of two counts", "Credit: what 64 bits do not hold is cut",
        "Credit: another wire type than the field's: skipped", "Credit: a group: skipped",
        "Goodbye: what 32 bits do not hold is cut", "Goodbye: fields out of order", "BodiesWanted: 1,024 places",
        "BodiesWanted: sequences not packed", "KeepAlive: any number but 0 is true", "Peers: 98 groups in a peer",
        "Credit: field number 2^29 - 1", "Credit: a key of five bytes",
        "Credit: a key of six bytes within a group: skipped", "Credit: 32 fields",
        "Changes: 32 fields beside 2,000 logs",
    ]

    @Test func `Every body gets its verdict`() throws {
        let file = try Vectors.own("sync.json", as: File.self, keys: .inCamelCase)
        var respelled: Set<String> = []
        for vector in file.messages {
            let name = "\(vector.message): \(vector.name)"
            var verdict = "ok"
            do throws(SyncViolation) {
                let message = try Message(vector.frame)
                let written = message?.frame ?? Frame(type: 0, body: [])
                let again = try Message(written)
                #expect(again == message, "\(name)")
                // A Hello says what this node is, whatever was read.
                if written != vector.frame, vector.type != MessageType.hello.rawValue { respelled.insert(name) }
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(name)")
        }
        #expect(respelled == Self.respelled)
        #expect(file.messages.count == 290)
        #expect(Set(file.messages.map(\.type)) == Set(Array(1...16) + Array(18...23)))
    }

    @Test func `Every message of a reconciliation gets its verdict`() throws {
        let file = try Vectors.own("sync.json", as: File.self, keys: .inCamelCase)
        for vector in file.negentropy {
            var bytes = [UInt8](hex: vector.bytes)
            if let more = vector.repeat {
                for _ in 0..<more.times { bytes.append(contentsOf: [UInt8](hex: more.bytes)) }
            }
            var answerer = ReconcileAnswerer()
            try answerer.ask(Reconcile(stage: 1, round: 1, message: bytes), now: 0)
            var verdict = "ok"
            do throws(SyncViolation) {
                _ = try answerer.answer(FingerprintTree(), now: 0)
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
        }
        #expect(file.negentropy.count == 28)
    }

    @Test func `A Hello with all fields is read as what it says`() throws {
        let file = try Vectors.own("sync.json", as: File.self, keys: .inCamelCase)
        let vector = try #require(file.messages.first { $0.name == "all fields" })
        guard case .hello(let hello) = try Message(vector.frame) else { throw CocoaError(.coderInvalidValue) }
        #expect(hello.version == 1 && hello.oldestVersion == 1)
        #expect(hello.number == 7)
        #expect(hello.cursor?.store.bytes == [UInt8](repeating: 0, count: 16))
        #expect(hello.cursor?.number == .max)
        #expect(hello.ownLog?.bytes == [UInt8](repeating: 1, count: 32))
        #expect(hello.scope == .identities([try #require(IdentityID([UInt8](repeating: 2, count: 32)))]))
        #expect(hello.agent == "someone 1")
        #expect(hello.listenPort == 65_535)
        #expect(hello.credit == Limits.minimumCreditBytes)
    }
}
