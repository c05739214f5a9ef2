import Testing

@testable import scurry

struct ShortIDTests {
    @Test func `Prefixes have four letters, more where two ids begin alike`() {
        let ids = ["k7faaaaa", "2matbbbb", "k7fab222", "k7fab233", "2matbbbb"]
        #expect(ShortID.prefixes(of: ids) == ["k7faa", "2mat", "k7fab22", "k7fab23", "2mat"])
    }

    @Test func `Every prefix names its own id and no shorter one would`() {
        var random = Seeded.fresh()
        let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
        for _ in 0..<50 {
            let ids = (0..<200).map { _ in
                String(
                    (0..<8).map {
                        $0 < 4
                            ? letters[Int.random(in: 0..<3, using: &random)]
                            : letters[Int.random(in: 0..<32, using: &random)]
                    }
                )
            }
            for (id, prefix) in zip(ids, ShortID.prefixes(of: ids)) {
                #expect(Set(ids.filter { $0.hasPrefix(prefix) }) == [id], "seed \(random.seed)")
                if prefix.count > 4, prefix != id {
                    let isShared = Set(ids.filter { $0.hasPrefix(prefix.dropLast()) }).count > 1
                    #expect(isShared, "seed \(random.seed)")
                }
            }
        }
    }
}
