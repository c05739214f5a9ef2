import Entries
import Testing

/// An outline and a post are read from the same bytes by the same rules.
struct PostOutlineTests {
    private let seed: UInt64 = 13

    private static func whole(_ bytes: [UInt8]) -> PostOutline? {
        guard case .post(let post)? = try? Payload.decode(kind: EntryKind.post.rawValue, bytes: bytes) else {
            return nil
        }
        return PostOutline(post)
    }

    @Test func `An outline says of any bytes what the post in them says`() throws {
        var random = PayloadRandom(seed: seed)
        var posts = 0
        var refused = 0
        for turn in 0..<60_000 {
            let payload = try random.payload()
            var bytes = payload.encode()
            for _ in 0..<random.below(3) where !bytes.isEmpty { PayloadMutationTests.mutate(&bytes, using: &random) }
            let whole = Self.whole(bytes)
            #expect((try? PostOutline(bytes)) == whole, "seed \(seed), turn \(turn): \(bytes)")
            if whole == nil { refused += 1 } else { posts += 1 }
        }
        #expect(posts > 5_000)
        #expect(refused > 5_000)
    }

    @Test func `An outline is refused for each rule that a post is refused for`() throws {
        let salt = [0x0a, 16] + [UInt8](repeating: 1, count: 16)
        let id = [UInt8](repeating: 2, count: 32)
        func channel(_ name: String) -> [UInt8] { [0x22, UInt8(name.utf8.count)] + Array(name.utf8) }
        let refused: [(PayloadError, [UInt8])] = [
            (.rule(.saltLength), []),
            (.rule(.saltLength), [0x0a, 15] + [UInt8](repeating: 1, count: 15)),
            (.rule(.titleLength), salt + [0x1a, 0x81, 0x08] + [UInt8](repeating: 0x41, count: 1_025)),
            (.rule(.channelName), salt + channel("Campus")),
            (.rule(.channelRepeated), salt + channel("a") + channel("a")),
            (.rule(.channelCount), salt + (0..<9).flatMap { channel("c\($0)") }),
            (.rule(.idLength), salt + [0x2a, 31] + id.dropLast() + [0x32, 32] + id),
            (.rule(.replyHalf), salt + [0x2a, 32] + id),
            (.rule(.replyHalf), salt + [0x32, 32] + id),
            (.form(FormError(rule: .fieldOrder, offset: 3)), [0x22, 1, 0x61] + salt),
        ]
        for (error, bytes) in refused {
            #expect(throws: error) { try PostOutline(bytes) }
            #expect(Self.whole(bytes) == nil)
        }
        let post = salt + channel("campus") + channel("b") + [0x2a, 32] + id + [0x32, 32] + id
        let outline = try PostOutline(post)
        #expect(outline.channels.map(\.description) == ["campus", "b"])
        #expect(outline.reply?.parent.bytes == id)
        #expect(outline == Self.whole(post))
    }
}
