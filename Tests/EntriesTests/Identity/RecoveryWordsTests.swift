import Entries
import Sodium
import Testing

struct RecoveryWordsTests {
    /// The published vectors of BIP-39 for 128 bits.
    private static let published: [(entropy: String, words: String)] = [
        (
            "00000000000000000000000000000000",
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        ),
        (
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
            "legal winner thank year wave sausage worth useful legal winner thank yellow"
        ),
        (
            "80808080808080808080808080808080",
            "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"
        ),
        ("ffffffffffffffffffffffffffffffff", "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong"),
        (
            "9e885d952ad362caeb4efe34a8e91bd2",
            "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"
        ),
        (
            "c0ba5a8e914111210f2bd131f3d5e08d",
            "scheme spot photo card baby mountain device kick cradle pact join borrow"
        ),
        (
            "23db8160a31d3e0dca3688ed941adbf3",
            "cat swing flag economy stadium alone churn speed unique patch report train"
        ),
        (
            "f30f8c1da665478f49b001d94c5fc452",
            "vessel ladder alter error federal sibling chat ability sun glass valve picture"
        ),
    ]

    private static let picnic = "ozone drill grab fiber curtain grace pudding thank cruise elder eight picnic"

    @Test(arguments: published)
    func `Entropy and words are two spellings of one secret`(vector: (entropy: String, words: String)) throws {
        let fromEntropy = try #require(RecoveryWords(entropy: Self.secret(vector.entropy)))
        #expect(fromEntropy.words.joined(separator: " ") == vector.words)
        let fromWords = try RecoveryWords(parsing: vector.words)
        #expect(fromWords.words == fromEntropy.words)
        #expect(fromWords.rootKey.publicKey == fromEntropy.rootKey.publicKey)
    }

    @Test(arguments: [0, 15, 17, 32])
    func `Another length than 16 bytes is refused`(count: Int) {
        #expect(RecoveryWords(entropy: .random(count: count)) == nil)
    }

    @Test func `Case and white space do not matter`() throws {
        let typed = "\n  Ozone DRILL\tgrab  fiber\r\ncurtain grace pudding\u{a0}thank\ncruise elder eight picnic \n"
        #expect(try RecoveryWords(parsing: typed).words.joined(separator: " ") == Self.picnic)
    }

    @Test func `An unknown word is named by its place, with the nearest words`() {
        #expect(throws: RecoveryWordsError.unknownWord(place: 4, nearest: ["fiber", "fire"])) {
            try RecoveryWords(parsing: Self.picnic.replacing("fiber", with: "fibre"))
        }
        #expect(throws: RecoveryWordsError.unknownWord(place: 12, nearest: ["picnic"])) {
            try RecoveryWords(parsing: Self.picnic.replacing("picnic", with: "picnick"))
        }
        #expect(throws: RecoveryWordsError.unknownWord(place: 1, nearest: ["bone", "one", "tone"])) {
            try RecoveryWords(parsing: Self.picnic.replacing("ozone", with: "xone"))
        }
        #expect(throws: RecoveryWordsError.unknownWord(place: 1, nearest: [])) {
            try RecoveryWords(parsing: Self.picnic.replacing("ozone", with: "1234"))
        }
    }

    @Test func `A word of a million letters is answered without comparing it`() {
        let long = String(repeating: "a", count: 1_000_000)
        #expect(throws: RecoveryWordsError.unknownWord(place: 1, nearest: [])) {
            try RecoveryWords(parsing: Self.picnic.replacing("ozone", with: long))
        }
    }

    @Test(arguments: [0, 1, 11, 13, 24])
    func `Another number of words is refused`(count: Int) {
        let words = [String](repeating: "zoo", count: count).joined(separator: " ")
        #expect(throws: RecoveryWordsError.wrongCount(count)) { try RecoveryWords(parsing: words) }
    }

    @Test func `Two words that changed places do not fit the checksum`() {
        #expect(throws: RecoveryWordsError.wrongChecksum) {
            try RecoveryWords(parsing: "drill ozone grab fiber curtain grace pudding thank cruise elder eight picnic")
        }
    }

    @Test func `Of all last words one in sixteen fits`() {
        let start = [String](repeating: "abandon", count: 11).joined(separator: " ")
        let fitting = WordList.english.filter { (try? RecoveryWords(parsing: start + " " + $0)) != nil }
        #expect(fitting.count == 128)
        #expect(fitting.contains("about"))
    }

    /// The seed as Python has it: `hashlib.blake2b(bytes(16), digest_size=32, person=b"scurry/root")`.
    @Test func `The root key comes from the hash of the sixteen bytes`() throws {
        let words = try #require(RecoveryWords(entropy: Self.secret(String(repeating: "0", count: 32))))
        let seed = Self.secret("32399b54bffd306c939718f6cfce975a9fb66b467b9414cd51d071c74d580a1f")
        #expect(words.rootKey.publicKey == SigningKey(seed: seed)?.publicKey)
    }

    private static func secret(_ hex: String) -> SecretBytes {
        let digits = hex.compactMap(\.hexDigitValue)
        var bytes = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return SecretBytes(moving: &bytes)
    }
}
