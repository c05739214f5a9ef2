package import Sodium

/// The twelve words that restore a person's root key: 16 bytes as a BIP-39 sentence (`protocol/identity.md` §2).
///
/// Each word has eleven bits; the last four bits are the first of SHA-256 over the 16 bytes.
package struct RecoveryWords: Sendable {
    package static let entropyBytes = 16
    package static let wordCount = 12

    private static let bitsPerWord = 11
    private static let checksumBits = 4

    private let entropy: SecretBytes

    /// Takes 16 random bytes; nil for any other length.
    package init?(entropy: SecretBytes) {
        guard entropy.count == Self.entropyBytes else { return nil }
        self.entropy = entropy
    }

    /// Parses typed words, in any case, with any white space between and around them.
    package init(parsing text: some StringProtocol) throws(RecoveryWordsError) {
        try self.init(words: text.split(whereSeparator: \.isWhitespace))
    }

    /// Parses a list of words, in any case.
    package init(words: [some StringProtocol]) throws(RecoveryWordsError) {
        guard words.count == Self.wordCount else { throw .wrongCount(words.count) }
        var indices: [Int] = []
        indices.reserveCapacity(Self.wordCount)
        defer { for place in indices.indices { indices[place] = 0 } }
        for (place, typed) in words.enumerated() {
            let word = typed.lowercased()
            guard let index = WordList.index(of: word) else {
                throw .unknownWord(place: place + 1, nearest: WordList.nearest(to: word))
            }
            indices.append(index)
        }
        var bytes = Self.packed(indices)
        defer { bytes.wipe() }
        var entropy = Array(bytes.prefix(Self.entropyBytes))
        let isIntact = bytes.last == Self.checksum(entropy) << UInt8(8 - Self.checksumBits)
        self.entropy = SecretBytes(moving: &entropy)
        guard isIntact else { throw .wrongChecksum }
    }

    /// The twelve words in lower case; the caller does not keep them.
    package var words: [String] {
        var bytes = entropy.withUnsafeBytes { entropy in
            [UInt8](unsafeUninitializedCapacity: Self.entropyBytes + 1) { bytes, count in
                UnsafeMutableRawBufferPointer(bytes).copyMemory(from: entropy)
                count = Self.entropyBytes
            }
        }
        defer { bytes.wipe() }
        bytes.append(Self.checksum(bytes) << UInt8(8 - Self.checksumBits))
        var words: [String] = []
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            if bits >= Self.bitsPerWord {
                bits -= Self.bitsPerWord
                words.append(String(WordList.english[buffer >> bits]))
                buffer &= 1 << bits - 1
            }
        }
        return words
    }

    /// The root key: Ed25519 from the seed `H("scurry/root", 16 bytes)`; derived at each call and not kept.
    package var rootKey: SigningKey {
        guard let key = SigningKey(seed: Blake2b.hash(.root, entropy)) else {
            preconditionFailure("a hash has the length of a seed")
        }
        return key
    }

    /// The first four bits of SHA-256 over the 16 bytes.
    private static func checksum(_ entropy: [UInt8]) -> UInt8 {
        SHA256.hash(entropy).withUnsafeBytes { $0.first.map { $0 >> UInt8(8 - checksumBits) } ?? 0 }
    }

    /// Twelve indices as 132 bits, padded with zeros to 17 bytes.
    private static func packed(_ indices: [Int]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entropyBytes + 1)
        var buffer = 0
        var bits = 0
        for index in indices {
            buffer = buffer << bitsPerWord | index
            bits += bitsPerWord
            while bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> bits))
                buffer &= 1 << bits - 1
            }
        }
        bytes.append(UInt8(truncatingIfNeeded: buffer << (8 - bits)))
        return bytes
    }
}

/// Why typed words do not parse; no case holds a word that was typed.
package enum RecoveryWordsError: Error, Equatable, Sendable {
    /// The number of words, which is not twelve.
    case wrongCount(Int)

    /// The word at this place, from 1, is not in the list; `nearest` has up to three candidates, nearest first.
    case unknownWord(place: Int, nearest: [String])

    /// All words are in the list, but one is wrong, or two are swapped.
    case wrongChecksum
}
