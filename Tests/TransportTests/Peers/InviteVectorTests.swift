import Foundation
import Testing

@testable import Transport

/// Runs the invites of `protocol/vectors/near.json`.
struct InviteVectorTests {
    private struct File: Decodable {
        struct Case: Decodable {
            let name: String
            let line: String
            let verdict: String
        }

        let invites: [Case]
    }

    @Test func `Every invite gets its verdict`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let file = root.appendingPathComponent("protocol/vectors/near.json")
        let cases = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).invites
        for vector in cases {
            let verdict = (try? Invite(parsing: vector.line)) == nil ? "refused" : "ok"
            #expect(verdict == vector.verdict, "\(vector.name): \(vector.line)")
        }
        #expect(cases.count == 45)
    }
}
