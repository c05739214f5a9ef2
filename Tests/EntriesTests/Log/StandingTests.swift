import Entries
import Sodium
import Testing

struct StandingTests {
    /// The root of the one stored history at a size; of any other history it is another.
    private static func root(_ size: UInt64) -> Bytes32 {
        size == 0 ? .zero : NetworkID(name: "root \(size)").raw
    }

    private func known(_ size: UInt64, _ root: Bytes32? = nil) -> KnownRoot {
        KnownRoot(size: size, root: root ?? Self.root(size))
    }

    private func other(_ size: UInt64) -> KnownRoot { known(size, NetworkID(name: "other \(size)").raw) }

    private func standing(
        stored: UInt64,
        head: UInt64,
        isPending: Bool = false,
        cut: KnownRoot? = nil,
        settled: KnownRoot? = nil
    ) throws -> Standing {
        let log = try Writer(1).log
        let signature = try #require(Signature([UInt8](repeating: 1, count: 64)))
        let pending = PendingHead(
            head: Head(log: log, size: stored + 1, root: .zero, signature: signature),
            right: LogRange(at: stored)
        )
        return Standing(
            storedEnd: stored,
            head: head,
            pending: isPending ? pending : nil,
            cut: cut,
            settled: settled,
            root: Self.root
        )
    }

    @Test func `Without words a head counts`() throws {
        let standing = try standing(stored: 9, head: 7, isPending: true)
        #expect(standing.size == 7 && standing.root == Self.root(7) && standing.ceiling == .max)
        #expect(!standing.isComplete && !standing.isDiverging)
    }

    @Test func `A cut limits what counts`() throws {
        #expect(try standing(stored: 9, head: 9, cut: known(4)).size == 4)
        #expect(try standing(stored: 9, head: 3, cut: known(4)).size == 4)
        #expect(try standing(stored: 9, head: 3, cut: other(4)).size == 3)
        let diverging = try standing(stored: 9, head: 9, cut: other(4))
        #expect(diverging.size == 4 && diverging.isDiverging && !diverging.isProvenToCut)
        #expect(try standing(stored: 3, head: 3, cut: known(4)).size == 3)
    }

    @Test func `A head that reaches beyond counts once all below the ceiling is here`() throws {
        #expect(try standing(stored: 4, head: 0, isPending: true, cut: other(4)).size == 4)
        #expect(try standing(stored: 3, head: 0, isPending: true, cut: other(4)).size == 0)
        #expect(try standing(stored: 5, head: 0, isPending: true, settled: other(4)).size == 4)
        #expect(try standing(stored: 5, head: 0, settled: other(4)).size == 0)
    }

    @Test func `A complete log counts exactly what is settled, and its cut does not`() throws {
        let standing = try standing(stored: 9, head: 3, cut: other(2), settled: known(6))
        #expect(standing.isComplete && standing.size == 6 && standing.ceiling == 6 && !standing.isDiverging)
        let log = try Writer(1).log
        #expect(standing.item(of: log)?.cut == nil && standing.item(of: log)?.isComplete == true)
        #expect(try self.standing(stored: 0, head: 0, settled: known(0)).isComplete)
    }

    @Test func `A settlement that is not complete limits what counts, and the cut counts`() throws {
        let apart = try standing(stored: 9, head: 9, cut: known(7), settled: other(6))
        #expect(!apart.isComplete && apart.size == 6 && apart.ceiling == 6 && apart.isDiverging)
        #expect(apart.item(of: try Writer(1).log)?.cut == 7)
        let short = try standing(stored: 5, head: 5, settled: known(6))
        #expect(!short.isComplete && short.size == 5 && !short.isDiverging)
    }

    @Test func `The settled history is wanted from where the stored one may not go on`() throws {
        let cut = try standing(stored: 4, head: 4, cut: known(4), settled: known(6))
        #expect(cut.settledNext(storedEnd: 4, side: nil) == 4 && cut.settledNext(storedEnd: 4, side: 5) == 5)
        #expect(try standing(stored: 3, head: 3, settled: known(6)).settledNext(storedEnd: 3, side: nil) == nil)
        #expect(try standing(stored: 6, head: 6, settled: known(6)).settledNext(storedEnd: 6, side: nil) == nil)
    }

    @Test func `Of nothing there is no item, of any words there is`() throws {
        let log = try Writer(1).log
        #expect(try standing(stored: 3, head: 0).item(of: log) == nil)
        #expect(try standing(stored: 0, head: 0, cut: known(0)).item(of: log)?.size == 0)
        #expect(try standing(stored: 0, head: 0, settled: other(5)).item(of: log)?.settled?.size == 5)
    }

    @Test func `What counts is shown under a head, a known root, or a head that reaches beyond`() throws {
        let log = try Writer(1).log
        let item = FrontierItem(log: log, size: 4, root: Self.root(4), cut: 4)
        #expect(Basis(of: item, head: 4, cut: known(4)) == .head)
        #expect(Basis(of: item, head: 9, cut: known(4)) == .known)
        #expect(Basis(of: item, head: 9, cut: other(4)) == .head)
        #expect(Basis(of: item, head: 2, cut: other(4)) == .pending)
        let settled = KnownRoot(size: 4, root: Self.root(4))
        let complete = FrontierItem(log: log, size: 4, root: Self.root(4), settled: settled)
        #expect(Basis(of: complete, head: 9, cut: nil) == .known)
    }
}
