import Sync
import Testing

@testable import Transport

/// Who talks without end is read more slowly while others are there (`ReadingPace`).
struct ReadingPaceTests {
    private let talker = SessionID(raw: 1)
    private let friend = SessionID(raw: 2)
    private let host = HostNetwork("192.0.2.1")
    private let divisor = TransportLimits.readingShareDivisor
    private let burst = TransportLimits.readingBurstMicroseconds
    private let forgiven = TransportLimits.forgivenDebtMicroseconds

    /// Both are connected, from hosts of their own.
    private func connected() -> ReadingPace {
        var pace = ReadingPace()
        pace.begin(talker, from: host, at: 0)
        pace.begin(friend, from: HostNetwork("192.0.2.2"), at: 0)
        return pace
    }

    @Test func `Who is alone is read as fast as it goes`() {
        var pace = connected()
        for moment in 0..<UInt64(100) {
            #expect(pace.spend(10_000, on: talker, at: moment * 10_000) == 0)
        }
    }

    @Test func `Who talks without end has its share while somebody else is there`() {
        var pace = connected()
        var now: UInt64 = 0
        var read: UInt64 = 0
        while now < 10_000_000 {
            _ = pace.spend(10, on: friend, at: now)
            read += 1_000
            now += 1_000 + pace.spend(1_000, on: talker, at: now)
        }
        #expect(read <= now / divisor + burst + 1_000)
        #expect(read >= now / divisor - 1_000)
        #expect(pace.spend(10, on: friend, at: now) == 0)
    }

    @Test func `The person here is somebody else`() {
        var pace = connected()
        pace.noteOwn(at: 0)
        #expect(pace.spend(2 * burst, on: talker, at: 0) == burst * divisor)
        #expect(pace.spend(0, on: talker, at: TransportLimits.activeMicroseconds) == 0)
    }

    @Test func `What was taken while nobody waited is owed to nobody`() {
        var pace = connected()
        var now: UInt64 = 0
        for _ in 0..<100 {
            _ = pace.spend(50_000, on: talker, at: now)
            now += 50_000
        }
        pace.noteOwn(at: now)
        #expect(pace.spend(10_000, on: talker, at: now) <= 10_000 * divisor)
    }

    @Test func `Whoever else was heard last is somebody else too`() {
        var pace = connected()
        _ = pace.spend(10, on: friend, at: 0)
        #expect(pace.isShared(at: 1_000_000, besides: talker))
        #expect(!pace.isShared(at: 1_000_000, besides: friend))
        #expect(!pace.isShared(at: TransportLimits.activeMicroseconds, besides: talker))
    }

    @Test func `A debt is paid by time`() {
        var pace = connected()
        pace.noteOwn(at: 0)
        let pause = pace.spend(3 * burst, on: talker, at: 0)
        #expect(pause == 2 * burst * divisor)
        #expect(pace.spend(0, on: talker, at: pause) == 0)
        #expect(pace.spend(1_000, on: talker, at: pause) == 3_000)
    }

    @Test func `Who calls anew owes what its last connection left`() {
        var pace = connected()
        pace.noteOwn(at: 0)
        _ = pace.spend(3 * burst, on: talker, at: 0)
        pace.end(talker, at: 0)
        let pause = (2 * burst - forgiven) * divisor
        for name in 10..<20 as Range<UInt64> {
            let anew = SessionID(raw: name)
            pace.begin(anew, from: host, at: 0)
            #expect(pace.spend(0, on: anew, at: 0) == pause, "however often it calls")
            #expect(pace.spend(0, on: anew, at: pause) == 0, "time pays")
            pace.end(anew, at: 0)
        }
        #expect(pace.spend(1_000, on: friend, at: 0) == 0, "another host owes nothing")
    }

    @Test func `What connections leave adds up, and is owed to nobody where nobody waited`() {
        var pace = connected()
        func leave(at now: UInt64) {
            for name in 10..<20 as Range<UInt64> {
                pace.begin(SessionID(raw: name), from: host, at: now)
                _ = pace.spend(burst, on: SessionID(raw: name), at: now)
                pace.end(SessionID(raw: name), at: now)
            }
        }
        pace.begin(SessionID(raw: 30), from: host, at: 0)
        _ = pace.spend(100 * burst, on: SessionID(raw: 30), at: 0)
        pace.end(SessionID(raw: 30), at: 0)
        pace.noteOwn(at: 0)
        #expect(pace.spend(0, on: talker, at: 0) == 0)
        leave(at: 0)
        let left = 11 * (burst - forgiven) - burst
        #expect(pace.spend(0, on: talker, at: 0) == left * divisor)
        // However much it is, whoever shares the address is heard again before a deadline passes.
        for _ in 0..<10 { leave(at: 0) }
        let most = (TransportLimits.leftDebtMicroseconds - burst) * divisor
        #expect(pace.spend(0, on: talker, at: 0) == most && most < 10_000_000)
    }

    @Test func `Who says little leaves nothing, however often it calls`() {
        var pace = connected()
        pace.noteOwn(at: 0)
        for name in 10..<1_000 as Range<UInt64> {
            pace.begin(SessionID(raw: name), from: host, at: 0)
            _ = pace.spend(forgiven, on: SessionID(raw: name), at: 0)
            pace.end(SessionID(raw: name), at: 0)
        }
        #expect(pace.hostsOwing == 0)
    }

    @Test func `Hosts are not remembered without end`() {
        var pace = connected()
        pace.noteOwn(at: 0)
        for name in 0..<UInt64(2 * TransportLimits.owingHosts) {
            let session = SessionID(raw: 100 + name)
            pace.begin(session, from: HostNetwork("host \(name)"), at: 0)
            _ = pace.spend(burst, on: session, at: 0)
            pace.end(session, at: 0)
        }
        #expect(pace.hostsOwing == TransportLimits.owingHosts)
        let later = burst * divisor
        pace.noteOwn(at: later)
        _ = pace.spend(2 * burst, on: talker, at: later)
        pace.end(talker, at: later)
        #expect(pace.hostsOwing == 1)
    }
}
