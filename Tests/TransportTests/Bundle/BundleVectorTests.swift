import Entries
import Foundation
import Sodium
import Storage
import Testing

@testable import Transport

/// Runs `protocol/vectors/bundle.json`, and the bundles of `near.json`: each file gets its verdict, and what came
/// before it is kept.
struct BundleVectorTests {
    private struct File: Decodable {
        let bundles: [Case]
        /// Only in `near.json`.
        let gapped: Gapped?
    }

    /// Bundles for a reader that has a gap.
    private struct Gapped: Decodable {
        /// A bundle that the reader has taken.
        let before: String
        /// What it was sent behind that.
        let window: Window
        let bundles: [Case]
    }

    /// The newest entries of a log, as they answer a Want.
    private struct Window: Decodable {
        let log: String
        let start: UInt64
        let count: UInt64
        let size: UInt64
        let signature: String
        let asked: UInt64
        let entries: String
        let left: [String]
        let right: [String]

        func take(into store: EntryStore, network: NetworkID) throws {
            let log = try #require(LogID([UInt8](hexadecimal: log)))
            var chunk = UnverifiedChunk(
                log: log,
                certificate: nil,
                start: start,
                count: count,
                size: size,
                signature: try #require(Signature([UInt8](hexadecimal: signature))),
                entries: [UInt8](hexadecimal: entries),
                right: try right.map { try #require(Bytes32([UInt8](hexadecimal: $0))) }
            )
            chunk.left = try left.map { try #require(Bytes32([UInt8](hexadecimal: $0))) }
            chunk.askedFrom = asked
            let prefix = try #require(try store.prefixes(of: [log])[log])
            guard case .verified(let verified) = ChunkVerifier(network: network).verify(chunk, over: prefix) else {
                Issue.record("the window is not true")
                return
            }
            var batch = TakeBatch()
            batch.chunks = [TakeBatch.SourcedChunk(chunk: verified, source: NodeID(raw: .zero))]
            _ = try store.take(batch)
        }
    }

    private struct Case: Decodable {
        struct Repeat: Decodable {
            let bytes: String
            let times: Int
        }

        let name: String
        let network: String
        /// A bundle that the reader has taken before; nil: it has nothing.
        let before: String?
        let hex: String
        let `repeat`: Repeat?
        let verdict: String
        let entries: UInt64
        /// Entries that are here afterwards, what does not count among them.
        let held: Int?
        let judged: Int
        /// The gap that there is afterwards, its first entry and the one behind its last.
        let gap: [UInt64]?

        var bytes: [UInt8] {
            let more = `repeat`.map { again in
                Array(repeatElement([UInt8](hexadecimal: again.bytes), count: again.times).joined())
            }
            return [UInt8](hexadecimal: hex) + (more ?? [])
        }

        func outcome(
            _ bounds: BundleLot.Bounds,
            behind gapped: Gapped? = nil
        ) throws -> (verdict: String, entries: UInt64) {
            let network = try #require(NetworkID([UInt8](hexadecimal: network)))
            let store = try TestBundle.emptyStore(network: network)
            do {
                let before = try (gapped?.before ?? before).map {
                    try TestBundle.take([UInt8](hexadecimal: $0), into: store, network: network, bounds: bounds)
                }
                #expect(before?.fault == nil, "\(name)")
                try gapped?.window.take(into: store, network: network)
                let summary = try TestBundle.take(bytes, into: store, network: network, bounds: bounds)
                let fault = summary.fault?.fault.rawValue
                let stored = try store.reader.status().pendingEntries + store.reader.status().entries
                if before == nil { #expect(summary.entries == UInt64(stored), "\(name)") }
                #expect(stored == held ?? stored, "\(name)")
                let state = try store.state()
                #expect(state.standings.count == judged, "\(name)")
                let gaps = state.gaps.map { [$0.bounds.lowerBound, $0.bounds.upperBound] }
                #expect(gaps == [gap].compactMap { $0 }, "\(name)")
                return (fault ?? (summary.laterLogs > 0 ? "later" : "complete"), summary.entries)
            } catch let refusal as BundleRefusal {
                switch refusal {
                case .notABundle: return ("notABundle", 0)
                case .newerVersion: return ("newerVersion", 0)
                case .otherNetwork: return ("otherNetwork", 0)
                case .unreadable: return ("unreadable", 0)
                }
            }
        }
    }

    @Test func `Every bundle gets its verdict, read in small lots and in large`() throws {
        let file = try Self.file("bundle.json")
        for vector in file.bundles {
            for bounds in [BundleLot.Bounds.frame, .transaction] {
                let outcome = try vector.outcome(bounds)
                #expect(outcome.verdict == vector.verdict, "\(vector.name)")
                #expect(outcome.entries == vector.entries, "\(vector.name)")
            }
        }
        #expect(file.bundles.count == 79)
        let seen = Set(file.bundles.map(\.verdict))
        #expect(
            seen == [
                "complete", "later", "notABundle", "newerVersion", "otherNetwork", "truncated", "frameLength",
                "malformedClosing", "wrongCount", "wrongHash", "trailingBytes", "malformedMessage", "wrongFieldLength",
                "tooManyItems", "impossibleNumber", "emptyChunk", "certificateMissing", "badCertificate",
                "foreignNetwork", "malformedEntries", "wrongNodeCount", "badProof", "badSettlement", "falseEvidence",
            ]
        )
    }

    @Test func `What a bundle brings to a reader who holds something`() throws {
        let file = try Self.file("near.json")
        for vector in file.bundles {
            for bounds in [BundleLot.Bounds.frame, .transaction] {
                let outcome = try vector.outcome(bounds)
                #expect(outcome.verdict == vector.verdict, "\(vector.name)")
                #expect(outcome.entries == vector.entries, "\(vector.name)")
            }
        }
        #expect(file.bundles.count == 46)
        #expect(Set(file.bundles.map(\.verdict)) == ["complete", "later", "badProof"])
    }

    @Test func `What a bundle brings to a reader who has a gap`() throws {
        let gapped = try #require(try Self.file("near.json").gapped)
        for vector in gapped.bundles {
            for bounds in [BundleLot.Bounds.frame, .transaction] {
                let outcome = try vector.outcome(bounds, behind: gapped)
                #expect(outcome.verdict == vector.verdict, "\(vector.name)")
                #expect(outcome.entries == vector.entries, "\(vector.name)")
            }
        }
        #expect(gapped.bundles.count == 23)
        #expect(Set(gapped.bundles.map(\.verdict)) == ["complete", "later"])
    }

    private static func file(_ name: String) throws -> File {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let data = try Data(contentsOf: folder.appendingPathComponent("protocol/vectors/\(name)"))
        return try JSONDecoder().decode(File.self, from: data)
    }
}
