import Entries
import Sodium
import TestSupport
import Testing

struct CompactRangeTests {
    private typealias Naive = NaiveTree<LogTreeHash>

    private static func leaves(_ count: Int, _ random: inout SeededRandom) -> [Bytes32] {
        (0..<count).map { _ in random.bytes32() }
    }

    private static func range(_ leaves: [Bytes32], _ bounds: Range<Int>) -> LogRange {
        var range = LogRange(at: UInt64(bounds.lowerBound))
        for leaf in leaves[bounds] { range.append(leaf: leaf) }
        return range
    }

    @Test func `Appending leaves gives the root of RFC 9162 at every size to 300`() {
        var random = SeededRandom.announced()
        let leaves = Self.leaves(300, &random)
        var range = LogRange()
        #expect(range.root == .zero)
        for size in 1...300 {
            range.append(leaf: leaves[size - 1])
            #expect(range.root == Naive.root(leaves[..<size]))
            #expect(range.nodes.count == size.nonzeroBitCount)
        }
    }

    @Test func `Two parts join to the whole at every split of every size to 130`() {
        var random = SeededRandom.announced()
        let leaves = Self.leaves(130, &random)
        for size in 0...130 {
            let whole = Self.range(leaves, 0..<size)
            for middle in 0...size {
                var joined = Self.range(leaves, 0..<middle)
                let right = Self.range(leaves, middle..<size)
                let result1 = joined.append(right)
                #expect(result1)
                #expect(joined == whole)
                #expect(LogRange(bounds: UInt64(middle)..<UInt64(size), nodes: right.nodes) == right)
            }
        }
    }

    @Test func `A range is the roots of its perfect subtrees, left to right`() {
        var random = SeededRandom.announced()
        let leaves = Self.leaves(70, &random)
        for start in 0...70 {
            for end in start...70 {
                let range = Self.range(leaves, start..<end)
                let places = TreePlace.covering(UInt64(start)..<UInt64(end))
                #expect(places.count == TreePlace.count(covering: UInt64(start)..<UInt64(end)))
                #expect(range.nodes == places.map { Naive.node($0, in: leaves) })
                #expect((range.root == nil) == (start > 0))
            }
        }
    }

    @Test func `Three parts of a range that starts anywhere join`() {
        var random = SeededRandom.announced()
        for _ in 0..<500 {
            let cuts = (0..<4).map { _ in random.below(300) }.sorted()
            let leaves = Self.leaves(300, &random)
            var joined = Self.range(leaves, cuts[0]..<cuts[1])
            let result2 = joined.append(Self.range(leaves, cuts[1]..<cuts[2]))
            #expect(result2)
            let result3 = joined.append(Self.range(leaves, cuts[2]..<cuts[3]))
            #expect(result3)
            #expect(joined == Self.range(leaves, cuts[0]..<cuts[3]), "\(cuts)")
        }
    }

    @Test func `A range that begins elsewhere is not appended`() {
        var random = SeededRandom.announced()
        let leaves = Self.leaves(8, &random)
        var range = Self.range(leaves, 0..<3)
        let before = range
        let result4 = range.append(Self.range(leaves, 4..<8))
        #expect(!result4)
        let result5 = range.append(Self.range(leaves, 2..<8))
        #expect(!result5)
        #expect(range == before)
    }

    @Test func `Nodes too few or too many make no range`() {
        for end in UInt64(0)...40 {
            for start in 0...end {
                let count = TreePlace.count(covering: start..<end)
                for wrong in 0...count + 2 where wrong != count {
                    let nodes = [Bytes32](repeating: .zero, count: wrong)
                    #expect(LogRange(bounds: start..<end, nodes: nodes) == nil)
                }
            }
        }
    }

    @Test func `Any bounds can be counted`() {
        var random = SeededRandom.announced()
        for _ in 0..<20_000 {
            let bounds = [random.edgy(), random.edgy()].sorted()
            let places = TreePlace.covering(bounds[0]..<bounds[1])
            #expect(TreePlace.count(covering: bounds[0]..<bounds[1]) == places.count)
            #expect(places.count <= 126)
        }
    }

    @Test func `Each interior node is told once, when its last leaf comes`() {
        var random = SeededRandom.announced()
        let leaves = Self.leaves(64, &random)
        var range = LogRange()
        var seen: [TreePlace: Bytes32] = [:]
        for (index, leaf) in leaves.enumerated() {
            range.append(leaf: leaf) { place, node in
                #expect(place.end == UInt64(index) + 1)
                #expect(seen.updateValue(node, forKey: place) == nil)
            }
        }
        #expect(seen.count == 63)
        for (place, node) in seen { #expect(node == Naive.node(place, in: leaves)) }
    }
}
