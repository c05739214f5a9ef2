import Foundation
import TestSupport
import Testing

@testable import Transport

/// The two messages that pass once for each post, written and read without an encoder's detours: the same as with it.
@Suite struct PlainLineTests {
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")

    private func json(_ message: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(message))
    }

    @Test func `An append is read as it is written`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<500 {
            let payload = Data(random.bytes(random.below(400)))
            let before = random.chance(2) ? random.pick([0, 1, 9, 10, random.next(), .max]) : nil
            let kind = random.pick([0, 1, 10, UInt16.max, UInt16(random.below(65_536))])
            let request = ControlRequest.append(kind: kind, payload: payload, before: before)
            #expect(ControlRequest(plain: try json(request)) == request)
        }
    }

    /// Whatever the plain reader takes means the same to the decoder; what it leaves to the decoder, that may take.
    @Test func `A line that was changed means what it means to a decoder`() throws {
        var random = SeededRandom.announced()
        var taken = 0
        for _ in 0..<20_000 {
            let request = ControlRequest.append(
                kind: UInt16(random.below(300)),
                payload: Data(random.bytes(random.below(20))),
                before: random.chance(2) ? UInt64(random.below(1_000)) : nil
            )
            var line = try json(request)
            for _ in 0..<random.below(3) {
                let place = random.below(line.count)
                switch random.below(3) {
                case 0: line[place] = random.pick(Array("\"{}:,0123456789.e-+ \\/=abkpn".utf8))
                case 1: line.remove(at: place)
                default: line.insert(line[random.below(line.count)], at: place)
                }
            }
            guard let plain = ControlRequest(plain: line) else { continue }
            taken += 1
            #expect(ControlLine.decode(line) == plain, "\(String(decoding: line, as: UTF8.self))")
        }
        #expect(taken > 1_000)
    }

    @Test(
        arguments: [
            "{}", "{\"append\":{", "{\"append\":{\"kind\":1,\"payload\":\"\"}",
            "{\"append\":{\"kind\":01,\"payload\":\"\"}}",
            "{\"append\":{\"kind\":65536,\"payload\":\"\"}}", "{\"append\":{\"kind\":1,\"payload\":\"?\"}}",
            "{\"append\":{\"before\":18446744073709551616,\"kind\":1,\"payload\":\"\"}}",
            "{\"append\":{\"kind\":1,\"payload\":\"AA==\"}} ", "\"}}",
        ]
    )
    func `Nearly an append is left to the decoder`(line: String) {
        #expect(ControlRequest(plain: Array(line.utf8)) == nil)
    }

    @Test func `The answer to an append is written as an encoder writes it`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<300 {
            let id = String((0..<random.below(60)).map { _ in random.pick(Self.alphabet) })
            let strange = random.chance(3) ? random.pick(["\"", "\\", "ä", "\n", "A", "/"]) : ""
            let entry = AppendedEntry(id: id + strange, log: id, sequence: random.next())
            let response = ControlResponse.appended(entry)
            #expect(ControlLine.encode(response) == (try json(response)) + [UInt8(ascii: "\n")])
            #expect(ControlLine.decode(ControlLine.encode(response).dropLast()) == response)
        }
    }
}
