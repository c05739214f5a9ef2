import Testing

@testable import scurry

struct AmountTests {
    @Test(
        arguments: [
            (0, "0 B"), (999, "999 B"), (1_000, "1 kB"), (1_240, "1.2 kB"), (30_400, "30 kB"), (999_499, "999 kB"),
            (999_600, "1 MB"), (1_234_567, "1.2 MB"), (5_000_000_000, "5 GB"), (.max, "18446744 TB"),
        ] as [(UInt64, String)]
    )
    func `Bytes are short`(count: UInt64, text: String) {
        #expect(Amount.bytes(count).string == text)
    }

    @Test func `One is not many`() {
        #expect(Amount.of(1, "entry", "entries") == "1 entry")
        #expect(Amount.of(0, "entry", "entries") == "0 entries")
    }
}
