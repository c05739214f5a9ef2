import Entries
import Simulation
import Sodium

@testable import Storage

/// A light and a full store in one: both are given the same, and what they answer is compared.
final class TwinStore: WorldStore {
    private let light = LightStore()
    private let full = FullStore(.memory, network: Device.network)
    /// The full one, feed and all.
    func whole() throws -> EntryStore { try full.open() }
    /// Questions that the two answered differently.
    private(set) var differences: [String] = []

    func begin(_ run: StoreID) throws -> StoreState {
        let (state, other) = (try full.begin(run), try light.begin(run))
        same(
            "frontier",
            state.frontier.map(\.item).sorted { $0.log < $1.log },
            other.frontier.map(\.item).sorted { $0.log < $1.log }
        )
        same("standings", state.standings, other.standings)
        same("gaps", Set(state.gaps), Set(other.gaps))
        same("pending", state.pending.sorted { $0.log < $1.log }, other.pending.sorted { $0.log < $1.log })
        return state
    }

    func take(_ batch: TakeBatch) throws -> TakeReport {
        let (report, other) = (try full.take(batch), try light.take(batch))
        same("changes", Set(report.changes.map(\.item)), Set(other.changes.map(\.item)))
        same("forgotten", Set(report.forgotten), Set(other.forgotten))
        return report
    }

    func prefixes(of logs: [LogID]) throws -> [LogID: LogPrefix] {
        try same("prefixes", full.prefixes(of: logs), light.prefixes(of: logs))
    }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        // How much fits is each one's own matter.
        let (answers, others) = (
            try full.ranges(wants, byteLimit: byteLimit), try light.ranges(wants, byteLimit: byteLimit)
        )
        same("ranges", answers.map(\.outline), others.map(\.outline))
        return answers
    }

    func prefixNodes(of log: LogID, end: UInt64) throws -> [Bytes32]? {
        try same("prefixNodes", full.prefixNodes(of: log, end: end), light.prefixNodes(of: log, end: end))
    }

    func prefixProof(of log: LogID, end: UInt64) throws -> PrefixProof? {
        try same("prefixProof", full.prefixProof(of: log, end: end), light.prefixProof(of: log, end: end))
    }

    func nodes(of log: LogID, at place: TreePlace) throws -> [Bytes32]? {
        try same("nodes", full.nodes(of: log, at: place), light.nodes(of: log, at: place))
    }

    func bodies(_ places: [BodyPlace], byteLimit: Int) throws -> [BodyAnswer] {
        try full.bodies(places, byteLimit: byteLimit)
    }

    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend {
        try full.append(text, by: &author, at: time)
    }

    @discardableResult
    private func same<Answer: Equatable>(_ question: String, _ full: Answer, _ light: Answer) -> Answer {
        if full != light { differences.append("\(question): \(full) is not \(light)") }
        return full
    }
}

extension RangeAnswer {
    fileprivate var outline: String {
        switch self {
        case .lacking: "lacking"
        case .chunk(let chunk): "from \(chunk.start) of \(chunk.size) under \(chunk.proof)"
        }
    }
}
