import Foundation
import Testing
import Transport

@testable import scurry

/// Why somebody will not have a connection, in plain words.
struct CarryTermsTests {
    private func target(_ refusal: String) throws -> StatusReport.Target {
        let json = """
            {"address":"oak:7776","isListed":true,"state":"waiting","failures":1,"retryInMilliseconds":600000\(refusal)}
            """
        return try JSONDecoder().decode(StatusReport.Target.self, from: Data(json.utf8))
    }

    @Test(arguments: [
        (",\"refusal\":\"version\"", "refused: no common version of the protocol; upgrade the older scurry"),
        (
            ",\"refusal\":\"scope\"",
            "refused: one of you carries some people only, and the other's scurry knows nothing of that; upgrade that one, "
                + "or scurry config carry everything"
        ),
        (
            ",\"refusal\":\"full\"",
            "refused: it has as many connections as it takes, or leaves this node alone for a time"
        ),
    ])
    func `A refusal is said, with what helps`(refusal: String, words: String) throws {
        #expect(CarryTerms.refusal(try target(refusal))?.string == words)
    }

    @Test func `A node of another version that says nothing of it refuses nothing`() throws {
        #expect(CarryTerms.refusal(try target("")) == nil)
    }
}
