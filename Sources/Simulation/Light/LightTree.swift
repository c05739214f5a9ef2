import Entries
import Sodium

/// The Merkle tree of a `LightLog`: every node that is known of it.
struct LightTree {
    /// Roots of the perfect subtrees, by level and index; nil where they are not known because of a gap.
    private var levels: [[Bytes32?]] = [[]]

    func node(_ place: TreePlace) -> Bytes32? {
        place.level < levels.count && Int(place.index) < levels[place.level].count
            ? levels[place.level][Int(place.index)] : nil
    }

    mutating func append(leaf: Bytes32) {
        levels[0].append(leaf)
        carry(from: 0)
    }

    /// Appends a gap: its nodes without its leaves.
    mutating func append(_ gap: LogRange) {
        for (place, node) in zip(TreePlace.covering(gap.bounds), gap.nodes) {
            for level in 0..<place.level {
                while levels.count <= level { levels.append([]) }
                let end = Int(place.end >> UInt64(level))
                levels[level] += [Bytes32?](repeating: nil, count: end - levels[level].count)
            }
            while levels.count <= place.level { levels.append([]) }
            levels[place.level].append(node)
            carry(from: place.level)
        }
    }

    /// Puts a leaf into a gap, and the parents that it completes.
    mutating func fill(_ leaf: Int, with hash: Bytes32) {
        levels[0][leaf] = hash
        var (level, index) = (0, leaf)
        while level + 1 < levels.count, index / 2 < levels[level + 1].count {
            if let left = levels[level][index & ~1], let right = levels[level][index | 1] {
                levels[level + 1][index / 2] = LogTreeHash.node(left, right)
            }
            (level, index) = (level + 1, index / 2)
        }
    }

    /// Appends the parents that the last node of a level completes.
    private mutating func carry(from lowest: Int) {
        var level = lowest
        while levels[level].count & 1 == 0 {
            let place = levels[level].count - 2
            var parent: Bytes32?
            if let left = levels[level][place], let right = levels[level][place + 1] {
                parent = LogTreeHash.node(left, right)
            }
            level += 1
            if level == levels.count { levels.append([]) }
            levels[level].append(parent)
        }
    }
}
