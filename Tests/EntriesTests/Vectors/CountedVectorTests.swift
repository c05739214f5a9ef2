import Entries
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/counted.json`, which shares nothing with the sources.
///
/// That what is behind a gap is dropped, the store decides: its tests run that.
struct CountedVectorTests {
    private let file: CountedFile
    private let ids: [Bytes32]
    private let log: LogID

    init() throws {
        let file = try CountedFile.read()
        self.file = file
        ids = try file.ids.map { try hex32($0) }
        log = LogID(raw: try hex32(file.log))
    }

    /// What is known of the stored history.
    private struct Held: CustomStringConvertible {
        let end: UInt64
        let head: UInt64
        var pending: PendingHead?
        var gap: LogGap?

        var description: String { "\(end) entries, a head at \(head)\(pending == nil ? "" : ", a pending one")" }
    }

    @Test func `What counts, and what stands for it`() throws {
        #expect(file.cases.count == 87)
        for vector in file.cases {
            let (cut, settled) = (try self.cut(vector), try self.settled(vector))
            for held in try self.held(vector) {
                let standing = try self.standing(held, cut, settled, vector.name)
                #expect(standing.isComplete == vector.complete, "\(vector.name), \(held)")
                #expect(standing.ceiling == (vector.ceiling?.value ?? UInt64.max), "\(vector.name), \(held)")
                #expect(standing.size == vector.counted.value, "\(vector.name), \(held)")
                #expect(standing.root.description == vector.root, "\(vector.name), \(held)")
                let item = standing.item(of: log)
                #expect(item?.id.description == vector.id, "\(vector.name), \(held)")
                if !vector.drops {
                    #expect(under(standing, held.head, cut) == vector.under, "\(vector.name)")
                }
            }
        }
    }

    private func standing(
        _ held: Held,
        _ cut: KnownRoot?,
        _ settled: KnownRoot?,
        _ name: String
    ) throws -> Standing {
        try Standing(storedEnd: held.end, head: held.head, pending: held.pending, cut: cut, settled: settled) { size in
            // Of what is not here, and within a gap, nobody knows the root.
            guard size <= held.end, held.gap?.knows(size) ?? true else {
                throw Malformed(text: "\(name): the root at \(size) is asked for")
            }
            return try self.root(size)
        }
    }

    /// What is here; where the entries behind a gap are dropped, whatever head may be left of it then.
    private func held(_ vector: CountedFile.Case) throws -> [Held] {
        let gap = try vector.gap.map { try self.gap($0, vector.name) }
        guard vector.drops else {
            let pending = try vector.pending.map { said in
                try self.pending(said.size.value, from: vector.stored.value, try said.nodes.map { try hex32($0) })
            }
            return [Held(end: vector.stored.value, head: vector.head.value, pending: pending, gap: gap)]
        }
        let start = try #require(gap).start
        let earlier = try #require(vector.earlier).value
        let rest = try self.pending(vector.head.value, from: start, range(start..<vector.head.value).nodes)
        return [
            Held(end: start, head: earlier, pending: rest), Held(end: start, head: earlier),
            Held(end: start, head: 0, pending: rest),
        ]
    }

    private func pending(_ size: UInt64, from end: UInt64, _ nodes: [Bytes32]) throws -> PendingHead {
        let signature = try #require(Signature([UInt8](repeating: 1, count: Signature.count)))
        let right = try #require(LogRange(bounds: end..<size, nodes: nodes))
        let root = try self.root(size)
        return PendingHead(head: Head(log: log, size: size, root: root, signature: signature), right: right)
    }

    private func gap(_ said: CountedFile.Gap, _ name: String) throws -> LogGap {
        let (start, end) = (said.start.value, said.end.value)
        let (first, second) = (try said.before.map { try hex32($0) }, try said.nodes.map { try hex32($0) })
        let before = try #require(LogRange(bounds: 0..<start, nodes: first))
        let rest = try #require(LogRange(bounds: start..<end, nodes: second))
        let gap = try #require(LogGap(before: before, rest: rest))
        let known = KnownRoot(size: end, root: try self.root(end))
        #expect(gap.known == known, "\(name)")
        return gap
    }

    private func range(_ bounds: Range<UInt64>) -> LogRange {
        var range = LogRange(at: bounds.lowerBound)
        for id in ids[Int(bounds.lowerBound)..<Int(bounds.upperBound)] { range.append(leaf: id) }
        return range
    }

    private func root(_ size: UInt64) throws -> Bytes32 { try #require(range(0..<size).root) }

    private func cut(_ vector: CountedFile.Case) throws -> KnownRoot? {
        var cut: KnownRoot?
        for said in vector.cuts {
            let came = KnownRoot(size: said.size.value, root: try hex32(said.root))
            if let held = cut, !(came < held) { continue }
            cut = came
        }
        return cut
    }

    private func settled(_ vector: CountedFile.Case) throws -> KnownRoot? {
        let network = NetworkID(raw: try hex32(file.network))
        var settlement: Settlement?
        for said in vector.settlements {
            let came = Settlement(
                network: network,
                identity: IdentityID(raw: .zero),
                log: log,
                size: said.size.value,
                root: try hex32(said.root),
                serial: said.serial.value
            )
            if let held = settlement, !came.overrules(held) { continue }
            settlement = came
        }
        return settlement?.known
    }

    private func under(_ standing: Standing, _ head: UInt64, _ cut: KnownRoot?) -> String? {
        guard standing.size > 0, let item = standing.item(of: log) else { return nil }
        switch Basis(of: item, head: head, cut: cut) {
        case .head: return head == item.size ? "head" : "beyond"
        case .known: return standing.isComplete ? "settlement" : "cut"
        case .pending: return "beyond"
        }
    }
}
