import Entries
import Sodium
import Testing

@testable import Sync

struct ServingTests {
    private func frame(_ bytes: Int) -> Frame {
        Frame(type: MessageType.chunks.rawValue, body: [UInt8](repeating: 0, count: bytes))
    }

    @Test func `What is held goes in order as credit comes`() {
        var serving = Serving()
        for bytes in [100, 200, 50] { serving.held.append(frame(bytes)) }
        serving.allow(120)
        let first = serving.releaseHeld()
        #expect(first.map(\.body.count) == [100])
        serving.allow(100)
        let none = serving.releaseHeld()
        #expect(none.isEmpty, "a smaller one does not overtake")
        serving.allow(400)
        let rest = serving.releaseHeld()
        #expect(rest.map(\.body.count) == [200, 50])
        #expect(serving.credit == 120 + 100 + 400 - 105 - 205 - 55)
    }

    @Test func `A push goes only with its whole credit`() {
        var serving = Serving()
        serving.allow(1_000)
        let isTooMuch = serving.spend([frame(600), frame(600)])
        #expect(!isTooMuch && serving.credit == 1_000)
        let isFine = serving.spend([frame(600)])
        #expect(isFine && serving.credit == 395)
        serving.held.append(frame(5_000))
        let isBehind = serving.spend([frame(10)])
        #expect(!isBehind)
    }

    @Test func `Credit never overflows`() {
        var serving = Serving()
        serving.allow(.max)
        serving.allow(.max)
        #expect(serving.credit == Limits.maximumCreditBytes)
    }

    @Test func `One question at a time`() {
        var serving = Serving()
        serving.allow(Limits.creditWindowBytes)
        for log in 0..<300 {
            serving.places.append(BodyPlace(log: LogID(raw: .zero), sequence: UInt64(log)))
        }
        let first = serving.nextReading(atMost: Limits.readBytes)
        #expect(first != nil)
        let second = serving.nextReading(atMost: Limits.readBytes)
        #expect(second == nil)
        #expect(serving.places.count == 300 - Limits.readWantsCount)
    }
}
