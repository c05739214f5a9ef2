import Sync
import Testing

@testable import Transport

/// Who talks without end is read more slowly while others are there (`ReadingRate`).
struct ReadingRateTests {
    private let talker = SessionID(raw: 1)
    private let friend = SessionID(raw: 2)
    private let host = HostNetwork("192.0.2.1")
    private let divisor = TransportLimits.readingShareDivisor
    private let burst = TransportLimits.readingBurstMicroseconds
    private let forgiven = TransportLimits.forgivenDebtMicroseconds

    /// Both are connected, from hosts of their own.
    private func connected() -> ReadingRate {
        var rate = ReadingRate()
        rate.begin(talker, from: host, at: 0)
        rate.begin(friend, from: HostNetwork("192.0.2.2"), at: 0)
        return rate
    }

    @Test func `Who is alone is read as fast as it goes`() {
        var rate = connected()
        for moment in 0..<UInt64(100) {
            #expect(rate.spend(10_000, on: talker, at: moment * 10_000) == 0)
        }
    }

    @Test func `Who talks without end has its share while somebody else is there`() {
        var rate = connected()
        var now: UInt64 = 0
        var read: UInt64 = 0
        while now < 10_000_000 {
            _ = rate.spend(10, on: friend, at: now)
            read += 1_000
            now += 1_000 + rate.spend(1_000, on: talker, at: now)
        }
        #expect(read <= now / divisor + burst + 1_000)
        #expect(read >= now / divisor - 1_000)
        #expect(rate.spend(10, on: friend, at: now) == 0)
    }

    @Test func `The person here is somebody else`() {
        var rate = connected()
        rate.noteOwn(at: 0)
        #expect(rate.spend(2 * burst, on: talker, at: 0) == burst * divisor)
        #expect(rate.spend(0, on: talker, at: TransportLimits.activeMicroseconds) == 0)
    }

    @Test func `What was taken while nobody waited is owed to nobody`() {
        var rate = connected()
        var now: UInt64 = 0
        for _ in 0..<100 {
            _ = rate.spend(50_000, on: talker, at: now)
            now += 50_000
        }
        rate.noteOwn(at: now)
        #expect(rate.spend(10_000, on: talker, at: now) <= 10_000 * divisor)
    }

    @Test func `Whoever else was heard last is somebody else too`() {
        var rate = connected()
        _ = rate.spend(10, on: friend, at: 0)
        #expect(rate.isShared(at: 1_000_000, besides: talker))
        #expect(!rate.isShared(at: 1_000_000, besides: friend))
        #expect(!rate.isShared(at: TransportLimits.activeMicroseconds, besides: talker))
    }

    @Test func `A debt is paid by time`() {
        var rate = connected()
        rate.noteOwn(at: 0)
        let pause = rate.spend(3 * burst, on: talker, at: 0)
        #expect(pause == 2 * burst * divisor)
        #expect(rate.spend(0, on: talker, at: pause) == 0)
        #expect(rate.spend(1_000, on: talker, at: pause) == 3_000)
    }

    @Test func `Who calls anew owes what its last connection left`() {
        var rate = connected()
        rate.noteOwn(at: 0)
        _ = rate.spend(3 * burst, on: talker, at: 0)
        rate.end(talker, at: 0)
        let pause = (2 * burst - forgiven) * divisor
        for name in 10..<20 as Range<UInt64> {
            let anew = SessionID(raw: name)
            rate.begin(anew, from: host, at: 0)
            #expect(rate.spend(0, on: anew, at: 0) == pause, "however often it calls")
            #expect(rate.spend(0, on: anew, at: pause) == 0, "time pays")
            rate.end(anew, at: 0)
        }
        #expect(rate.spend(1_000, on: friend, at: 0) == 0, "another host owes nothing")
    }

    @Test func `What connections leave adds up, and is owed to nobody where nobody waited`() {
        var rate = connected()
        func leave(at now: UInt64) {
            for name in 10..<20 as Range<UInt64> {
                rate.begin(SessionID(raw: name), from: host, at: now)
                _ = rate.spend(burst, on: SessionID(raw: name), at: now)
                rate.end(SessionID(raw: name), at: now)
            }
        }
        rate.begin(SessionID(raw: 30), from: host, at: 0)
        _ = rate.spend(100 * burst, on: SessionID(raw: 30), at: 0)
        rate.end(SessionID(raw: 30), at: 0)
        rate.noteOwn(at: 0)
        #expect(rate.spend(0, on: talker, at: 0) == 0)
        leave(at: 0)
        let left = 11 * (burst - forgiven) - burst
        #expect(rate.spend(0, on: talker, at: 0) == left * divisor)
        // However much it is, whoever shares the address is heard again before a deadline passes.
        for _ in 0..<10 { leave(at: 0) }
        let most = (TransportLimits.leftDebtMicroseconds - burst) * divisor
        #expect(rate.spend(0, on: talker, at: 0) == most && most < 10_000_000)
    }

    @Test func `Who says little leaves nothing, however often it calls`() {
        var rate = connected()
        rate.noteOwn(at: 0)
        for name in 10..<1_000 as Range<UInt64> {
            rate.begin(SessionID(raw: name), from: host, at: 0)
            _ = rate.spend(forgiven, on: SessionID(raw: name), at: 0)
            rate.end(SessionID(raw: name), at: 0)
        }
        #expect(rate.hostsOwing == 0)
    }

    @Test func `Hosts are not remembered without end`() {
        var rate = connected()
        rate.noteOwn(at: 0)
        for name in 0..<UInt64(2 * TransportLimits.owingHosts) {
            let session = SessionID(raw: 100 + name)
            rate.begin(session, from: HostNetwork("host \(name)"), at: 0)
            _ = rate.spend(burst, on: session, at: 0)
            rate.end(session, at: 0)
        }
        #expect(rate.hostsOwing == TransportLimits.owingHosts)
        let later = burst * divisor
        rate.noteOwn(at: later)
        _ = rate.spend(2 * burst, on: talker, at: later)
        rate.end(talker, at: later)
        #expect(rate.hostsOwing == 1)
    }
}
