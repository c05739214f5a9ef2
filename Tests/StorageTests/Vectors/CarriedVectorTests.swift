import Entries
import Sodium
import TestSupport
import Testing

@testable import Storage

/// Runs `protocol/vectors/carried.json`, which shares nothing with the sources, by the store.
struct CarriedVectorTests {
    /// In which order what is said of one log comes.
    private enum Manner: CaseIterable {
        case settlementFirst
        case entryFirst
    }

    /// A log, and what is said of it.
    private struct Told {
        let log: VectorLog
        let chunk: VerifiedChunk?
        let settlement: SettlementArrival?
        let evidence: EvidenceArrival?

        init(_ said: CarriedFile.Log, network: NetworkID) throws {
            let entry = try said.entry.map { try Entry(header: $0, payload: said.payload) }
            let entries = [entry].compactMap(\.self)
            let seed = try hex(said.deviceSeed)
            log = try VectorLog(certificate: said.certificate, seed: seed, network: network, entries: entries)
            chunk = try entries.isEmpty ? nil : log.chunk(0..<1)
            let certificate = log.certificate
            settlement = try said.settlement.map { text in
                let signed = try SignedSettlement(verifying: try hex(text), network: network)
                return SettlementArrival(signed: signed, certificate: certificate, source: .peer)
            }
            evidence = try said.evidence.map { text in
                guard let evidence = ForkEvidence(try hex(text)),
                    evidence.isProof(network: network, device: certificate.certificate.device)
                else { throw Malformed(text: text) }
                return EvidenceArrival(evidence: evidence, certificate: certificate, source: .peer)
            }
        }

        func batches(_ manner: Manner) -> [TakeBatch] {
            var entries = TakeBatch()
            entries.chunks = [chunk].compactMap(\.self).map { .init(chunk: $0, source: .peer) }
            let words = [settlement.map { TakeBatch($0) }, evidence.map { TakeBatch($0) }].compactMap(\.self)
            let batches =
                switch manner {
                case .settlementFirst: words + [entries]
                case .entryFirst: [entries] + words
                }
            return batches.filter { !$0.isEmpty }
        }

        /// What the settlement alone proves comes under its root.
        func rest(for store: EntryStore) throws -> TakeBatch? {
            guard settlement != nil, chunk != nil, let prefix = try store.prefixes(of: [log.log])[log.log] else {
                return nil
            }
            return log.knownChunk(over: prefix).map { TakeBatch($0) }
        }
    }

    @Test func `Which logs are carried, in whatever order they come`() throws {
        let file = try CarriedFile.read()
        #expect(file.cases.count == 24)
        let network = NetworkID(raw: try hex32(file.network))
        let identity = IdentityID(raw: try hex32(file.identity))
        for vector in file.cases {
            let told = try vector.logs.map { try Told($0, network: network) }
            #expect(told.map(\.log.log.raw.description) == vector.logs.map(\.log), "\(vector.name)")
            #expect(!vector.orders.isEmpty, "\(vector.name)")
            let end = try vector.end.map { text in
                let signed = try SignedSettlement(verifying: try hex(text), network: network)
                return TakeBatch(SettlementArrival(signed: signed, certificate: nil, source: .peer))
            }
            // The end of the account comes before, among and after the logs.
            let moments = end == nil ? [0] : Set([0, told.count / 2, told.count]).sorted()
            for order in vector.orders {
                for manner in Manner.allCases {
                    for moment in moments {
                        let store = try EntryStore(.memory, network: network, creation: .ifAbsent)
                        try give(order.map { told[$0] }, manner, end, at: moment, to: store)
                        let place: Comment = "\(vector.name), in the order \(order), \(manner), \(moment)"
                        try expect(store, vector, identity, place)
                    }
                }
            }
        }
    }

    /// Gives a store everything, and what it refused or forgot again, until nothing changes.
    private func give(
        _ logs: [Told],
        _ manner: Manner,
        _ end: TakeBatch?,
        at moment: Int,
        to store: EntryStore
    ) throws {
        var before: Set<FrontierItem>
        repeat {
            before = try items(of: store)
            for (number, told) in logs.enumerated() {
                if let end, number == moment { _ = try store.take(end) }
                for batch in told.batches(manner) { _ = try store.take(batch) }
                if let rest = try told.rest(for: store) { _ = try store.take(rest) }
            }
            if let end, moment >= logs.count { _ = try store.take(end) }
        } while try items(of: store) != before
        store.expectRowsAsInTheFile()
    }

    private func items(of store: EntryStore) throws -> Set<FrontierItem> {
        Set(try store.state().frontier.map(\.item))
    }

    private func expect(
        _ store: EntryStore,
        _ vector: CarriedFile.Case,
        _ identity: IdentityID,
        _ place: Comment
    ) throws {
        let devices = try store.reader.devices(of: identity)
        #expect(devices.map(\.log.raw.description) == vector.carried, place)
        let hasEnded = try store.reader.hasEnded(identity)
        #expect(hasEnded == (vector.end != nil), place)
        let items = try store.state().frontier.map(\.item)
        if let end = vector.endItem {
            #expect(items.map(\.id.description) == [end], place)
            return
        }
        #expect(items.map(\.log.raw.description).sorted() == vector.carried.sorted(), place)
        for item in items {
            let said = vector.logs.first { $0.log == item.log.raw.description }
            #expect(item.size == said?.counted.value, place)
        }
    }
}
