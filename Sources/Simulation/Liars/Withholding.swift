internal import Entries
internal import Sync

/// A peer that offers more than it gives: nothing of logs that it says it has, or entries whose bodies it keeps.
final class Withholding: Lie {
    let calls = 20
    private enum Manner {
        /// Says that it lacks what it offered.
        case lacking
        /// Says nothing at all.
        case silent
        /// Leaves out every body that may be left out.
        case bodiless
    }

    private let manner: Manner

    init(seed: UInt64) {
        manner = [.lacking, .silent, .bodiless, .bodiless][Int(seed % 4)]
    }

    /// The nodes that know most, as anybody may know who asks.
    private func source(_ site: Site) -> Site? {
        site.trial.sites.filter { $0.isRunning && $0.number != site.number }
            .max { left, right in
                (left.machine?.status.logs ?? 0, left.number) < (right.machine?.status.logs ?? 0, right.number)
            }
    }

    func greeting(_ site: Site) -> [Utterance] {
        guard let rows = try? source(site)?.home.state().frontier else { return [] }
        let own = site.device?.log
        let logs = rows.filter { $0.log != own && $0.size > 0 }.prefix(1_500).map { row in
            // Those that hold nothing back offer what there is.
            LogSize(log: row.log, size: manner == .bodiless ? row.size : row.size + 40)
        }
        return logs.isEmpty ? [] : [.changes(logs, number: nil)]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        switch (message, manner) {
        case (.want(let wants), .lacking): return [.chunks([], lacking: wants.map(\.log), number: nil)]
        case (.want(let wants), .bodiless): return [bodiless(wants, source(site))]
        case (.bodiesWanted(let places), _): return [.bodies(places.map { BodyAnswer(place: $0, payload: nil) })]
        default: return []
        }
    }

    private func bodiless(_ wants: [RangeWant], _ source: Site?) -> Utterance {
        var chunks: [UnverifiedChunk] = []
        var lacking: [LogID] = []
        for want in wants {
            guard case .chunk(let chunk)? = try? source?.home.ranges([want], byteLimit: 100_000).first,
                let entries = try? EntryCoding.decode(
                    chunk.entries[...],
                    count: Int(chunk.count),
                    log: chunk.log,
                    start: chunk.start
                )
            else {
                lacking.append(want.log)
                continue
            }
            let bare = entries.map { $0.header.isErasable ? Entry(withheld: $0.header) : $0 }
            chunks.append(
                UnverifiedChunk(
                    log: chunk.log,
                    certificate: chunk.certificate,
                    start: chunk.start,
                    count: chunk.count,
                    size: chunk.size,
                    proof: chunk.proof,
                    entries: EntryCoding.encode(bare),
                    right: chunk.right
                )
            )
        }
        return .chunks(chunks, lacking: lacking, number: nil)
    }
}
