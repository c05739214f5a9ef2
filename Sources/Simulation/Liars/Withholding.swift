internal import Entries
internal import Sync

/// A peer that serves less than it announces: no entries, entries without their bodies, or false bodies and entries.
final class Withholding: Lie {
    let calls = 20
    var falsehood: Falsehood?
    private enum Manner {
        /// Answers `lacking` for what it announced.
        case lacking
        /// Does not answer a Want.
        case silent
        /// Leaves out every erasable body.
        case bodiless
        /// Leaves out bodies too, and answers with false ones, and with a false entry in a gap.
        case falsifying
    }

    private let manner: Manner

    /// `turn` modulo 4 selects the manner; it grows with each liar of this kind.
    init(turn: Int) {
        manner = [.lacking, .falsifying, .silent, .bodiless][turn % 4]
    }

    func greeting(_ site: Site) -> [Utterance] {
        guard let rows = try? site.fullest?.home.state().frontier else { return [] }
        let own = site.device?.log
        let logs = rows.filter { $0.log != own && $0.size > 0 }.prefix(1_500).map { row in
            // Those that serve entries announce the true size.
            LogSize(log: row.log, size: manner == .lacking || manner == .silent ? row.size + 40 : row.size)
        }
        return logs.isEmpty ? [] : [.changes(logs, number: nil)]
    }

    func answer(_ message: Heard, of site: Site) -> [Utterance] {
        switch message {
        case .want(let wants):
            falsehood = manner == .bodiless ? .withheldBodies : .withheldEntries
            return switch manner {
            case .lacking: [.chunks([], lacking: wants.map(\.log), number: nil)]
            case .silent: []
            case .bodiless, .falsifying: [bodiless(wants, site.fullest)]
            }
        case .bodiesWanted(let places):
            return switch manner {
            case .falsifying: [.bodies(falsified(places, site.fullest))]
            case .lacking, .silent, .bodiless: [.bodies(places.map { BodyAnswer(place: $0, payload: nil) })]
            }
        case .hello, .chunks, .changes, .prefixWanted, .nodesWanted, .goodbye, .other: return []
        }
    }

    private func bodiless(_ wants: [RangeWant], _ source: Site?) -> Utterance {
        var chunks: [UnverifiedChunk] = []
        var lacking: [LogID] = []
        for want in wants {
            guard case .chunk(let chunk)? = try? source?.home.ranges([want], byteLimit: 100_000).first,
                let entries = chunk.decoded
            else {
                lacking.append(want.log)
                continue
            }
            var bare = entries.map { $0.header.isErasable ? Entry(withheld: $0.header) : $0 }
            if manner == .falsifying {
                falsehood = .withheldBodies
                if case .until = want.extent, let last = bare.popLast() {
                    falsehood = .otherHistory
                    bare.append(other(last))
                }
            }
            chunks.append(chunk.replacing(bare))
        }
        return .chunks(chunks, lacking: lacking, number: nil)
    }

    /// A false entry with the same sequence number and times.
    private func other(_ entry: Entry) -> Entry {
        let header = entry.header
        return Entry(
            flags: EntryHeader.erasableFlag,
            kind: EntryKind.post.rawValue,
            log: header.log,
            sequence: header.sequence,
            time: header.time,
            clock: header.clock,
            payload: Array("never written".utf8)
        )
    }

    /// Bodies of the right length with one bit flipped.
    private func falsified(_ places: [BodyPlace], _ source: Site?) -> [BodyAnswer] {
        falsehood = .otherBodies
        let answers = (try? source?.home.bodies(places, byteLimit: 200_000)) ?? []
        let known = answers.map { answer in
            var payload = answer.payload
            if let last = payload?.indices.last { payload?[last] ^= 1 }
            return BodyAnswer(place: answer.place, payload: payload)
        }
        return known + places.dropFirst(known.count).map { BodyAnswer(place: $0, payload: nil) }
    }
}
