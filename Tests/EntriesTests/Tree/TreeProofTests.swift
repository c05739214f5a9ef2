import Entries
import Sodium
import TestSupport
import Testing

struct TreeProofTests {
    private typealias Naive = NaiveTree<LogTreeHash>
    private typealias Proof = TreeProof<LogTreeHash>

    private static let leaves: [Bytes32] = {
        var random = SeededRandom(seed: 9162)
        return (0..<300).map { _ in random.bytes32() }
    }()

    private static func siblings(of path: [Bytes32]) -> [[Bytes32]] {
        var siblings: [[Bytes32]] = []
        for place in path.indices {
            for bit in 0..<256 {
                var changed = path
                changed[place] = Bytes32(path[place].bytes.flipping(bit: bit)) ?? .zero
                siblings.append(changed)
            }
            var dropped = path
            dropped.remove(at: place)
            siblings.append(dropped)
            siblings.append(Array(path[...place] + path[place...]))
        }
        return siblings + [path + [.zero], [.zero] + path]
    }

    @Test func `Paths are RFC 9162's and lead to the root, at every place of every size to 80`() {
        for size in 1...80 {
            let leaves = Self.leaves[..<size]
            let root = Naive.root(leaves)
            for index in 0..<size {
                let path = Proof.inclusionPath(of: UInt64(index), size: UInt64(size)) {
                    Naive.node($0, in: Self.leaves)
                }
                #expect(path == Naive.path(index, leaves))
                #expect(
                    Proof.root(ofLeaf: leaves[index], at: UInt64(index), size: UInt64(size), path: path) == root
                )
            }
        }
    }

    @Test func `Consistency paths are RFC 9162's and hold, between all sizes to 64`() {
        for size in 1...64 {
            for old in 1...size {
                let path = Proof.consistencyPath(from: UInt64(old), to: UInt64(size)) {
                    Naive.node($0, in: Self.leaves)
                }
                #expect(path == Naive.proof(old, Self.leaves[..<size]))
                #expect(
                    Proof.isConsistent(
                        oldSize: UInt64(old),
                        oldRoot: Naive.root(Self.leaves[..<old]),
                        newSize: UInt64(size),
                        newRoot: Naive.root(Self.leaves[..<size]),
                        path: path
                    )
                )
            }
        }
    }

    @Test func `An inclusion path with a bit changed, a node dropped or added leads elsewhere`() {
        for (index, size) in [(0, 1), (0, 2), (4, 5), (2, 7), (6, 7), (5, 8), (200, 300), (299, 300)] {
            let leaves = Self.leaves[..<size]
            let root = Naive.root(leaves)
            for path in Self.siblings(of: Naive.path(index, leaves)) {
                #expect(
                    Proof.root(ofLeaf: leaves[index], at: UInt64(index), size: UInt64(size), path: path) != root
                )
            }
        }
    }

    @Test func `An inclusion path of another place or size leads elsewhere`() {
        for size in 1...20 {
            for index in 0..<size {
                let path = Naive.path(index, Self.leaves[..<size])
                let root = Naive.root(Self.leaves[..<size])
                for other in UInt64(0)...24 where other != UInt64(index) {
                    #expect(
                        Proof.root(ofLeaf: Self.leaves[index], at: other, size: UInt64(size), path: path) != root
                    )
                }
                #expect(Proof.root(ofLeaf: Self.leaves[index], at: .max, size: .max, path: path) == nil)
                #expect(Proof.root(ofLeaf: Self.leaves[index], at: 0, size: 0, path: path) == nil)
            }
        }
    }

    @Test func `A consistency path with a bit changed, a node dropped or added does not hold`() {
        for (old, size) in [(1, 2), (2, 3), (3, 7), (4, 7), (6, 8), (8, 8), (7, 300), (256, 300)] {
            for path in Self.siblings(of: Naive.proof(old, Self.leaves[..<size])) {
                #expect(
                    !Proof.isConsistent(
                        oldSize: UInt64(old),
                        oldRoot: Naive.root(Self.leaves[..<old]),
                        newSize: UInt64(size),
                        newRoot: Naive.root(Self.leaves[..<size]),
                        path: path
                    )
                )
            }
        }
    }

    @Test func `Nothing is shown about the empty tree`() {
        for size in UInt64(0)...3 {
            let root = Naive.root(Self.leaves[..<Int(size)])
            #expect(!Proof.isConsistent(oldSize: 0, oldRoot: .zero, newSize: size, newRoot: root, path: []))
        }
    }

    @Test func `No sizes trap`() {
        var random = SeededRandom.announced()
        for _ in 0..<20_000 {
            let path = (0..<random.below(70)).map { _ in Bytes32.zero }
            _ = Proof.root(ofLeaf: .zero, at: random.edgy(), size: random.edgy(), path: path)
            _ = Proof.isConsistent(
                oldSize: random.edgy(),
                oldRoot: .zero,
                newSize: random.edgy(),
                newRoot: .zero,
                path: path
            )
        }
    }
}
