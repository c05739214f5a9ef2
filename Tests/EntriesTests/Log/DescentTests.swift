import Entries
import Sodium
import TestSupport
import Testing

struct DescentTests {
    private static let log = LogID(raw: NetworkID(name: "a log").raw)
    private static let proof = ForkFinding.Proof.settled(size: 1)

    /// A tree of leaves, any node of which can be shown.
    private struct Tree {
        let leaves: [Bytes32]

        func node(_ place: TreePlace) -> Bytes32 {
            var range = LogRange(at: place.start)
            for leaf in leaves[Int(place.start)..<Int(place.end)] { range.append(leaf: leaf) }
            return range.nodes[0]
        }

        func range(_ bounds: Range<Int>) -> LogRange {
            var range = LogRange(at: UInt64(bounds.lowerBound))
            for leaf in leaves[bounds] { range.append(leaf: leaf) }
            return range
        }

        func answer(_ place: TreePlace) -> [Bytes32] { place.descendants.map(node) }

        func proof(end: Int) throws -> PrefixProof {
            try #require(
                PrefixProof(
                    end: UInt64(end),
                    nodes: range(0..<end).nodes,
                    size: UInt64(leaves.count),
                    right: range(end..<leaves.count).nodes,
                    proof: .known
                )
            )
        }
    }

    private func descend(_ theirs: Tree, _ ours: Tree, end: Int) throws -> (step: Descent.Step, questions: Int) {
        var (descent, step) = Descent.begin(
            log: Self.log,
            theirs: try theirs.proof(end: end),
            proof: Self.proof,
            ours: ours.range(0..<end)
        )
        var questions = 0
        while case .question(let place) = step {
            questions += 1
            step = descent?.answered(theirs: theirs.answer(place), ours: ours.answer(place)) ?? .lie
        }
        return (step, questions)
    }

    @Test func `The first difference is found, and what stands to its right`() throws {
        var random = SeededRandom.announced()
        for _ in 0..<40 {
            let size = 1 + random.below(random.chance(3) ? 1_200 : 40)
            let end = 1 + random.below(size)
            let place = random.below(end)
            let theirs = Tree(leaves: (0..<size).map { _ in random.bytes32() })
            // What comes after a difference may be the same again.
            var other = theirs.leaves
            for changed in place..<size where changed == place || random.chance(3) { other[changed] = random.bytes32() }
            let (step, questions) = try descend(theirs, Tree(leaves: other), end: end)
            guard case .found(let finding) = step else {
                Issue.record("no difference was found")
                return
            }
            #expect(finding.sequence == UInt64(place) && finding.leaf.raw == theirs.leaves[place])
            #expect(finding.right == theirs.range(place + 1..<size))
            #expect(questions <= 3)
        }
    }

    @Test func `Equal histories have no difference`() throws {
        var random = SeededRandom.announced()
        let tree = Tree(leaves: (0..<300).map { _ in random.bytes32() })
        for end in [1, 2, 255, 256, 257, 300] { #expect(try descend(tree, tree, end: end).step == .same) }
    }

    @Test func `Nodes that do not lead to the known one are a lie, own ones that do not fit are not`() throws {
        var random = SeededRandom.announced()
        let theirs = Tree(leaves: (0..<300).map { _ in random.bytes32() })
        let ours = Tree(leaves: theirs.leaves.prefix(100) + (100..<300).map { _ in random.bytes32() })
        let (begun, step) = Descent.begin(
            log: Self.log,
            theirs: try theirs.proof(end: 300),
            proof: Self.proof,
            ours: ours.range(0..<300)
        )
        guard case .question(let place) = step else {
            Issue.record("nothing was asked")
            return
        }
        func answered(_ theirs: [Bytes32], _ ours: [Bytes32]) -> Descent.Step? {
            var descent = begun
            return descent?.answered(theirs: theirs, ours: ours)
        }
        let (answer, own) = (theirs.answer(place), ours.answer(place))
        var changed = answer
        changed[7] = random.bytes32()
        #expect(answered(changed, own) == .lie)
        #expect(answered(Array(answer.dropLast()), own) == .lie)
        #expect(answered(answer + [.zero], own) == .lie)
        #expect(answered([], own) == .lie)
        #expect(answered(answer, []) == .same && answered(answer, answer) == .same)
    }
}
