import Entries
import Testing

/// Broken bytes of all sorts end in an outcome; what the form accepts, the decoder accepts.
struct PayloadMutationTests {
    private let seed: UInt64 = 11

    private enum Outcome: Hashable {
        case valid, form(FormRule), rule(PayloadRule), refusedByDecoder
    }

    private static func outcome(kind: UInt16, _ bytes: [UInt8]) -> (Outcome, Payload?) {
        do throws(PayloadError) {
            return (.valid, try Payload.decode(kind: kind, bytes: bytes))
        } catch {
            switch error {
            case .form(let error): return (.form(error.rule), nil)
            case .rule(let rule): return (.rule(rule), nil)
            case .refusedByDecoder: return (.refusedByDecoder, nil)
            }
        }
    }

    static func mutate(_ bytes: inout [UInt8], using random: inout PayloadRandom) {
        let place = random.below(bytes.count + 1)
        let tail = random.below(bytes.count - place + 1)
        switch random.below(9) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1 where place < bytes.count: bytes[place] = random.byte()
        case 2 where place < bytes.count: bytes.remove(at: place)
        case 3: bytes.insert(random.byte(), at: place)
        case 4: bytes.removeLast(tail)
        case 5: bytes.insert(contentsOf: bytes[place..<place + tail], at: place)
        // Fields of the future, well formed or not.
        case 6: bytes += [0x78, random.byte() & 0x7f]
        case 7: bytes += [random.byte(), random.byte()] + random.bytes(random.below(6))
        default: bytes.swapAt(place == bytes.count ? 0 : place, 0)
        }
    }

    @Test func `A hundred thousand mutations never trap and never part the form from the decoder`() throws {
        var random = PayloadRandom(seed: seed)
        var seen: [Outcome: Int] = [:]
        for turn in 0..<100_000 {
            let payload = try random.payload()
            var bytes = payload.encode()
            for _ in 0...random.below(3) where !bytes.isEmpty { Self.mutate(&bytes, using: &random) }
            // Read as another kind now and then: the schemas are alike.
            let kind = random.below(8) == 0 ? UInt16(random.below(12)) : payload.kind.rawValue
            let (outcome, decoded) = Self.outcome(kind: kind, bytes)
            seen[outcome, default: 0] += 1
            if outcome == .refusedByDecoder {
                Issue.record("seed \(seed), turn \(turn): kind \(kind), \(bytes)")
            }
            if let decoded {
                let again = Self.outcome(kind: kind, decoded.encode()).1
                #expect(again == decoded, "seed \(seed), turn \(turn): kind \(kind), \(bytes)")
            }
        }
        #expect(seen[.refusedByDecoder] == nil)
        #expect(seen[.valid, default: 0] > 5_000)
        // The mutations reach every rule that a payload of this size can break.
        for rule in FormRule.allCases where rule != .depth && rule != .boolValue {
            #expect(seen[.form(rule)] != nil, "seed \(seed): \(rule) was never met")
        }
    }

    @Test func `Random bytes never trap`() {
        var random = PayloadRandom(seed: seed)
        for _ in 0..<50_000 {
            let bytes = random.bytes(random.below(40))
            let (outcome, _) = Self.outcome(kind: UInt16(1 + random.below(6)), bytes)
            #expect(outcome != .refusedByDecoder, "seed \(seed): \(bytes)")
        }
    }
}
