import Entries
import Sodium

/// RFC 6962's SHA-256 tree, to which the published vectors belong.
enum CertificateTransparencyHash: TreeHash {
    static func leaf(_ data: [UInt8]) -> Bytes32 { SHA256.hash([0] + data) }
    static func node(_ left: Bytes32, _ right: Bytes32) -> Bytes32 { SHA256.hash([1] + left.bytes + right.bytes) }
}

/// RFC 9162 §2.1 word for word: slow, and nothing shared with the sources but the hash.
enum NaiveTree<Hash: TreeHash> {
    /// MTH(D[n]).
    static func root(_ leaves: ArraySlice<Bytes32>) -> Bytes32 {
        guard let first = leaves.first else { return .zero }
        if leaves.count == 1 { return first }
        let middle = leaves.startIndex + split(leaves.count)
        return Hash.node(root(leaves[..<middle]), root(leaves[middle...]))
    }

    /// PATH(m, D[n]).
    static func path(_ place: Int, _ leaves: ArraySlice<Bytes32>) -> [Bytes32] {
        if leaves.count <= 1 { return [] }
        let k = split(leaves.count)
        let middle = leaves.startIndex + k
        return place < k
            ? path(place, leaves[..<middle]) + [root(leaves[middle...])]
            : path(place - k, leaves[middle...]) + [root(leaves[..<middle])]
    }

    /// PROOF(m, D[n]).
    static func proof(_ old: Int, _ leaves: ArraySlice<Bytes32>) -> [Bytes32] {
        subproof(old, leaves, true)
    }

    private static func subproof(_ old: Int, _ leaves: ArraySlice<Bytes32>, _ whole: Bool) -> [Bytes32] {
        if old == leaves.count { return whole ? [] : [root(leaves)] }
        let k = split(leaves.count)
        let middle = leaves.startIndex + k
        return old <= k
            ? subproof(old, leaves[..<middle], whole) + [root(leaves[middle...])]
            : subproof(old - k, leaves[middle...], false) + [root(leaves[..<middle])]
    }

    private static func split(_ count: Int) -> Int {
        var k = 1
        while k * 2 < count { k *= 2 }
        return k
    }

    /// The roots of the perfect subtrees, all levels, of these leaves: what a store would look up.
    static func node(_ place: TreePlace, in leaves: [Bytes32]) -> Bytes32 {
        root(leaves[Int(place.start)..<Int(place.end)])
    }
}
