import Entries
import Sodium
import Testing

@testable import Transport

/// Whose logs a setting means.
struct CarryingTests {
    private func people(_ range: Range<UInt8>) -> [IdentityID] {
        range.map { number in
            var raw = Bytes32()
            raw.withUnsafeMutableBytes { $0[0] = number }
            return IdentityID(raw: raw)
        }
    }

    @Test func `Following is oneself and whom one follows`() {
        let (own, others) = (people(9..<10)[0], people(0..<4))
        let meaning = Carrying.following.meaning(for: own, following: others)
        #expect(meaning.scope == .identities(Set(others + [own])))
        #expect(meaning.leftOut == 0)
        #expect(Carrying.everything.meaning(for: own, following: others).scope == .everything)
    }

    @Test func `Oneself is always among the people that are named`() {
        let (own, others) = (people(9..<10)[0], people(0..<4))
        #expect(Carrying.people(Set(others)).meaning(for: own, following: []).scope == .identities(Set(others + [own])))
        #expect(Carrying.people(Set(others)).meaning(for: nil, following: []).scope == .identities(Set(others)))
    }

    @Test func `Of too many the first by id are carried, and it is known how many are not`() {
        let own = IdentityID(raw: .zero)
        let many = (1...1_100 as ClosedRange<UInt64>).map { number in
            IdentityID(raw: Blake2b.hash(HashTag("simulation"), Array("\(number)".utf8)))
        }
        let meaning = Carrying.following.meaning(for: own, following: many)
        #expect(meaning.scope == .identities(Set(many.sorted().prefix(1_023) + [own])))
        #expect(meaning.leftOut == 77)
    }
}
