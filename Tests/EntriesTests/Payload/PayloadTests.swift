import Entries
import Sodium
import Testing

struct PayloadTests {
    private let seed: UInt64 = 7

    private func salt() throws -> Salt { try #require(Salt(Array(0..<16))) }

    @Test func `A post encodes to the bytes of the protocol's example`() throws {
        let channel = try #require(Channel("squirrels"))
        let post = try Post(salt: salt(), text: "Caught this one stealing my bagel.", channels: [channel])
        let bytes = Payload.post(post).encode()
        #expect(
            bytes
                == [0x0a, 16] + Array(0..<16) + [0x12, 34] + Array("Caught this one stealing my bagel.".utf8)
                + [0x22, 9] + Array("squirrels".utf8)
        )
        #expect(
            PayloadHash(of: bytes).raw.description
                == "be6199d83322aeb2bffe438e2d5eb8a6a58cbe95071f2370c8d806115b27730c"
        )
    }

    @Test func `A payload of 65,536 bytes passes and one byte more does not`() throws {
        let frame = try Payload.post(Post(salt: salt(), text: String(repeating: "x", count: 60_000))).encode().count
        let full = String(repeating: "x", count: 60_000 + EntryLimits.maximumPayloadBytes - frame)
        let whole = try Payload.post(Post(salt: salt(), text: full)).encode()
        #expect(whole.count == 65_536)
        #expect(try Payload.decode(kind: 1, bytes: whole) == .post(Post(salt: salt(), text: full)))
        let over = try Payload.post(Post(salt: salt(), text: full + "x")).encode()
        #expect(throws: PayloadError.rule(.payloadLength)) { try Payload.decode(kind: 1, bytes: over) }
    }

    @Test func `One's own payload is held to the rules that others' are`() throws {
        let id = EntryID(raw: .zero)
        let channels = try (0..<9).map { try #require(Channel("c\($0)")) }
        let long = String(repeating: "x", count: 5_000)
        #expect(throws: PayloadError.rule(.titleLength)) { try Post(salt: salt(), text: "", title: long) }
        #expect(throws: PayloadError.rule(.channelCount)) { try Post(salt: salt(), text: "", channels: channels) }
        #expect(throws: PayloadError.rule(.channelRepeated)) {
            try Post(salt: salt(), text: "", channels: [channels[0], channels[0]])
        }
        #expect(throws: PayloadError.rule(.titleLength)) { try Edit(salt: salt(), post: id, text: "", title: long) }
        #expect(throws: PayloadError.rule(.nameLength)) { try Profile(salt: salt(), name: "") }
        #expect(throws: PayloadError.rule(.nameLength)) { try Profile(salt: salt(), name: long) }
        #expect(throws: PayloadError.rule(.fullNameLength)) { try Profile(salt: salt(), fullName: long) }
        #expect(throws: PayloadError.rule(.bioLength)) { try Profile(salt: salt(), bio: long) }
        #expect(throws: PayloadError.rule(.noTarget)) { try Vote(choices: []) }
        #expect(throws: PayloadError.rule(.noTarget)) { try Follow(choices: []) }
        #expect(throws: PayloadError.rule(.noTarget)) { try Delete(entries: []) }
    }

    @Test func `Text with a slash, NUL, a byte order mark and every plane comes back byte for byte`() throws {
        var text = "/0 \0 \u{feff}e\u{301} \u{202e} \u{1b}[31m\r\n"
        for plane in UInt32(0)...16 {
            for low: UInt32 in [0x2f, 0xfffd, 0xfffe, 0xffff] {
                text.unicodeScalars.append(try #require(Unicode.Scalar(plane << 16 | low)))
            }
        }
        for text in [text, "\u{feff}" + text, "\0", "/0", ""] {
            let bytes = try Payload.post(Post(salt: salt(), text: text)).encode()
            guard case .post(let post) = try Payload.decode(kind: 1, bytes: bytes) else {
                Issue.record("not a post")
                return
            }
            #expect(Array(post.text.utf8) == Array(text.utf8))
        }
    }

    @Test func `What is absent and what is empty stay apart where that matters`() throws {
        for profile in [try Profile(salt: salt(), fullName: "", bio: ""), try Profile(salt: salt())] {
            let payload = Payload.profile(profile)
            #expect(try Payload.decode(kind: 5, bytes: payload.encode()) == payload)
        }
        #expect(try Profile(salt: salt(), bio: "") != Profile(salt: salt()))
    }

    @Test func `Random payloads come back as they were`() throws {
        var random = PayloadRandom(seed: seed)
        for turn in 0..<5_000 {
            let payload = try random.payload()
            let bytes = payload.encode()
            let decoded = try Payload.decode(kind: payload.kind.rawValue, bytes: bytes)
            #expect(decoded == payload, "seed \(seed), turn \(turn)")
            // Texts are equal when they look alike: only the bytes tell.
            #expect(decoded.encode() == bytes, "seed \(seed), turn \(turn)")
        }
    }
}
