import Entries
import GRDB
import Simulation
import Sodium
import TestSupport
import Testing

@testable import Storage

@Suite struct FoldingTests {
    @Test func `Any order of arrival folds as the oracle does`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<60 {
            let history = try RandomHistory(&random, entries: 20 + random.below(60))
            let store = try EntryStore.inMemory()
            for batch in try history.batches(&random) { _ = try store.take(batch) }
            try expect(store, foldsAs: history)
            guard !Task.isCancelled else { return }
        }
    }

    @Test func `Two orders and a rebuild fold alike`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<40 {
            let history = try RandomHistory(&random, entries: 20 + random.below(60))
            let first = try EntryStore.inMemory()
            let second = try EntryStore.inMemory()
            for batch in try history.batches(&random) { _ = try first.take(batch) }
            for batch in try history.batches(&random) { _ = try second.take(batch) }
            let dump = try first.derivedDump()
            #expect(try second.derivedDump() == dump)
            #expect(try first.reader.fingerprint().fingerprint == second.reader.fingerprint().fingerprint)
            let arrivals = try first.arrivals()
            _ = try first.rebuild()
            #expect(try first.derivedDump() == dump)
            #expect(try first.arrivals() == arrivals)
        }
    }

    @Test func `What a delete names is numbered once, in the order of its payload`() throws {
        var random = SeededRandom.announced()
        let named = (0..<16).map { _ in EntryID(raw: random.bytes32()) }
        let device = try Device(person: 1)
        device.write(.delete(try Delete(entries: named + named.reversed())), time: 1)
        let store = try EntryStore.inMemory()
        try store.take(device.chunk())
        let numbered = try store.writer.read { db in
            try Prepared(db, "SELECT id FROM targets ORDER BY number").all { try $0.id(0, as: EntryID.self) }
        }
        #expect(numbered == named, "not in that of a set, which is another in each process")
    }

    private func expect(_ store: EntryStore, foldsAs history: RandomHistory) throws {
        let oracle = history.oracle
        let people = Set(history.devices.map(\.identity))
        for id in history.ids {
            let view = oracle.post(id)
            for person in people {
                let row = try store.reader.post(id, reader: person)
                expect(row, is: view, oracle, person)
            }
            #expect(try store.reader.post(id, reader: nil)?.replies ?? 0 == replies(to: id, history, oracle))
        }
        for person in people {
            #expect(try Set(store.reader.following(person)) == oracle.following(person))
            let profile = oracle.profile(person)
            let row = try store.reader.person(person)
            #expect(row?.name == profile.name && row?.fullName == profile.fullName)
            #expect(row?.bio == profile.bio && row?.avatar == profile.avatar)
            for now: UInt64 in [1_020, .max] {
                #expect(try store.feed(FeedQuery(now: now, reader: person)) == oracle.feed(at: now, for: person))
            }
        }
    }

    private func expect(_ row: PostRow?, is view: VisiblePost?, _ oracle: FoldState, _ person: IdentityID) {
        #expect((row == nil) == (view == nil))
        guard let row, let view else { return }
        #expect(row.identity == view.identity && row.log == view.log && row.sequence == view.sequence)
        #expect(row.time == view.time && row.channels == view.channels && row.reply == view.reply)
        #expect(row.content == view.content)
        let tallies = oracle.tallies(row.id)
        #expect(row.up == tallies.up && row.down == tallies.down)
        #expect(row.vote == oracle.vote(of: person, on: row.id))
        #expect(row.author == oracle.profile(row.identity).name)
    }

    private func replies(to id: EntryID, _ history: RandomHistory, _ oracle: FoldState) -> Int {
        guard oracle.post(id) != nil else { return 0 }
        return history.ids.count { oracle.post($0)?.reply?.parent == id }
    }
}
