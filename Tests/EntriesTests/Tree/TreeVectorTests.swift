import Entries
import Foundation
import Sodium
import TestSupport
import Testing

/// Published proofs of RFC 6962 with SHA-256, good and near-good.
struct TreeVectorTests {
    private typealias Proof = TreeProof<CertificateTransparencyHash>

    private struct Inclusion: Decodable {
        let leafIdx: UInt64
        let treeSize: UInt64
        let root: String
        let leafHash: String
        let proof: [String]?
        let desc: String
        let wantErr: Bool
    }

    private struct Consistency: Decodable {
        let size1: UInt64
        let size2: UInt64
        let root1: String
        let root2: String
        let proof: [String]?
        let desc: String
        let wantErr: Bool
    }

    private static func bytes(_ base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map { Array($0) } ?? []
    }

    private static func path(_ proof: [String]?) -> [Bytes32]? {
        let nodes = (proof ?? []).map { Bytes32(bytes($0)) }
        return nodes.contains(nil) ? nil : nodes.compactMap { $0 }
    }

    @Test(.enabled(if: Vectors.areExpected))
    func `Inclusion proofs get their verdict`() throws {
        let cases = try Vectors.published("merkle-inclusion.json", as: [Inclusion].self)
        var ran = 0
        for vector in cases {
            var accepted = false
            if let root = Bytes32(Self.bytes(vector.root)), let leaf = Bytes32(Self.bytes(vector.leafHash)),
                let path = Self.path(vector.proof)
            {
                accepted = Proof.root(ofLeaf: leaf, at: vector.leafIdx, size: vector.treeSize, path: path) == root
            }
            #expect(accepted == !vector.wantErr, "\(vector.desc)")
            ran += 1
        }
        #expect(ran == 98)
    }

    // Some roots are words of 12 bytes, which `Bytes32` cannot hold; one such case is even good. What it asks about is
    // the sizes, so the word's hash stands for the word: equal stays equal.
    private static func root(_ base64: String) -> Bytes32 {
        Bytes32(bytes(base64)) ?? SHA256.hash(bytes(base64))
    }

    @Test(.enabled(if: Vectors.areExpected))
    func `Consistency proofs get their verdict`() throws {
        let cases = try Vectors.published("merkle-consistency.json", as: [Consistency].self)
        var ran = 0
        for vector in cases {
            let accepted =
                Self.path(vector.proof).map { path in
                    Proof.isConsistent(
                        oldSize: vector.size1,
                        oldRoot: Self.root(vector.root1),
                        newSize: vector.size2,
                        newRoot: Self.root(vector.root2),
                        path: path
                    )
                } ?? false
            #expect(accepted == !vector.wantErr, "\(vector.desc), \(vector.size1) in \(vector.size2)")
            ran += 1
        }
        #expect(ran == 98)
    }
}
