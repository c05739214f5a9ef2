package import Entries
package import Sodium

/// Reads: the answers to peers, and the prefixes that verification starts from.
extension LightStore {
    package func prefixes(of wanted: [LogID]) throws -> [LogID: LogPrefix] {
        if failingPrefixes > 0 {
            failingPrefixes -= 1
            throw LightStoreError.full
        }
        if let damaged, wanted.contains(damaged) { throw LightStoreError.damaged }
        var prefixes: [LogID: LogPrefix] = [:]
        for log in wanted {
            if let known = logs[log] { prefixes[log] = known.prefix }
        }
        return prefixes
    }

    package func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        var answers: [RangeAnswer] = []
        var rest = byteLimit
        for want in wants {
            guard rest > 0 || answers.isEmpty else { break }
            guard let chunk = logs[want.log]?.chunk(want, byteLimit: rest) else {
                answers.append(.lacking(want.log))
                continue
            }
            rest -= chunk.entries.count
            answers.append(.chunk(chunk))
        }
        return answers
    }

    package func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        guard let known = logs[log] else { return nil }
        return known.nodes(covering: 0..<end)
    }

    package func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? { logs[log]?.prefixProof(end: end) }

    package func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? { logs[log]?.descendants(of: place) }

    package func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        var rest = byteLimit
        var answers: [BodyAnswer] = []
        for place in places {
            guard rest > 0 || answers.isEmpty else { break }
            let payload = place.sequence < size(place.log) ? payload(place) : nil
            rest -= payload?.count ?? 0
            answers.append(BodyAnswer(place: place, payload: payload))
        }
        return answers
    }
}
