import Entries
import Simulation
import Sodium
import Storage
import Sync
import Testing

/// Three nodes that hold the same four entries of one honest writer.
struct CheckerScene {
    var aftermath: Aftermath
    let entries: [Entry]
    let log: LogID
    let identity: IdentityID

    init() throws {
        var author = Author(seed: 1, network: NetworkID(name: "checkers"))
        var ledger = Ledger()
        ledger.enroll(author.log, of: author.certificate.certificate.identity)
        var payloads: [[UInt8]] = []
        for number in 0..<4 {
            let salt = try #require(Salt([UInt8](repeating: UInt8(number), count: 16)))
            let text = Ledger.text(ledger.drawToken(), "acorn")
            payloads.append(Payload.post(try Post(salt: salt, text: text)).encode())
        }
        let chunk = author.write(payloads, at: 1_000)
        for entry in chunk.entries {
            ledger.sign(entry, node: 0)
            ledger.tell(entry, node: 0)
        }
        log = author.log
        identity = author.certificate.certificate.identity
        entries = chunk.entries
        let item = FrontierItem(log: log, size: 4, root: chunk.tip.root ?? .zero)
        var sum = FingerprintSum()
        sum.insert(item.id)
        let sites = (0..<3).map { number in
            var site = SiteSnapshot(number: number, node: NodeID(raw: Author.bytes(UInt64(number), "node")))
            site.fingerprint = sum.fingerprint
            site.items = [chunk.certificate.log: item]
            site.identities = [chunk.certificate.log: chunk.certificate.certificate.identity]
            site.entries = [chunk.certificate.log: chunk.entries]
            return site
        }
        aftermath = Aftermath(sites: sites, ledger: ledger, violations: [], wall: 2_000, hadLiars: false)
    }

    /// An entry in the writer's log that the writer did not write.
    func foreign(at sequence: UInt64) -> Entry {
        Entry(flags: 1, kind: 1, log: log, sequence: sequence, time: 9, clock: 9, payload: [1])
    }

    /// What the writer deletes.
    func delete(_ entry: Entry, at sequence: UInt64) throws -> Entry {
        Entry(
            flags: 0,
            kind: EntryKind.delete.rawValue,
            log: log,
            sequence: sequence,
            time: 9,
            clock: 9,
            payload: Payload.delete(try Delete(entries: [entry.id])).encode()
        )
    }

    /// Another writer's log of one entry, which every node holds; a copy with another body to plant.
    mutating func addStranger() throws -> (log: LogID, other: Entry) {
        var author = Author(seed: 2, network: NetworkID(name: "checkers"))
        let salt = try #require(Salt([UInt8](repeating: 9, count: 16)))
        let chunk = author.write([Payload.post(try Post(salt: salt, text: "elsewhere")).encode()], at: 1_000)
        for place in aftermath.sites.indices {
            aftermath.sites[place].items[author.log] = FrontierItem(
                log: author.log,
                size: 1,
                root: chunk.tip.root ?? .zero
            )
            aftermath.sites[place].identities[author.log] = author.certificate.certificate.identity
            aftermath.sites[place].entries[author.log] = chunk.entries
        }
        let other = Payload.post(try Post(salt: salt, text: "nowhere")).encode()
        return (
            author.log,
            Entry(flags: 1, kind: 1, log: author.log, sequence: 0, time: 9, clock: 9, payload: other)
        )
    }

    /// Makes a gap at a node.
    mutating func leaveOut(_ gap: Range<Int>, at place: Int) {
        aftermath.sites[place].gaps[log] = UInt64(gap.lowerBound)..<UInt64(gap.upperBound)
        aftermath.sites[place].entries[log]?.removeSubrange(gap)
    }

    func expect(_ checker: any Checker.Type, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!checker.look(at: aftermath).isEmpty, sourceLocation: sourceLocation)
    }
}
