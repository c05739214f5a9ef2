import Entries
import Testing

struct SerialTests {
    @Test func `A serial is above all that are known, and never below the clock`() {
        #expect(Serial.next(after: nil, now: 5) == 5)
        #expect(Serial.next(after: 4, now: 9) == 9)
        #expect(Serial.next(after: 9, now: 4) == 10)
        #expect(Serial.next(after: .max, now: 4) == .max)
    }
}
