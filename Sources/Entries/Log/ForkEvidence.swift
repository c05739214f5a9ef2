package import Sodium

/// Proof that a writer signed two histories that agree before `sequence` and differ in that entry (`protocol/log.md`
/// §7).
///
/// `log 32 · seq u64 · prefix nodes · 2 × (head size u64 · signature 64 · entry id 32 · nodes right of it)`. The number
/// of nodes follows from the bounds. One prefix serves both branches, which proves that they agree up to there.
package struct ForkEvidence: Hashable, Sendable {
    package let log: LogID
    /// The cut: the first entry that differs.
    package let sequence: UInt64
    /// Compact range of [0, sequence).
    package let prefix: LogRange
    package let branches: Branches

    package struct Branches: Hashable, Sendable {
        package let first: Branch
        package let second: Branch

        package init(first: Branch, second: Branch) {
            self.first = first
            self.second = second
        }
    }

    package struct Branch: Hashable, Sendable {
        package let size: UInt64
        package let signature: Signature
        package let leaf: EntryID
        /// Compact range of [sequence + 1, size).
        package let right: LogRange

        package init(size: UInt64, signature: Signature, leaf: EntryID, right: LogRange) {
            self.size = size
            self.signature = signature
            self.leaf = leaf
            self.right = right
        }
    }

    package init(log: LogID, sequence: UInt64, prefix: LogRange, branches: Branches) {
        self.log = log
        self.sequence = sequence
        self.prefix = prefix
        self.branches = branches
    }

    /// The cut with the root of the common prefix; of several proofs the one with the lowest cut is in force
    /// (`protocol/log.md` §8).
    package var cut: KnownRoot { KnownRoot(size: sequence, root: prefix.root ?? .zero) }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.append(log)
        writer.append(sequence)
        for node in prefix.nodes { writer.append(node) }
        for branch in [branches.first, branches.second] {
            writer.append(branch.size)
            writer.append(branch.signature)
            writer.append(branch.leaf)
            for node in branch.right.nodes { writer.append(node) }
        }
        return writer.bytes
    }

    /// Parses the form; `isProof` checks the claim. Nil for a byte too few or too many, or a value out of range.
    package init?(_ bytes: some Collection<UInt8>) {
        var reader = ByteReader(Array(bytes))
        guard let log = reader.bytes32(), let sequence = reader.integer(UInt64.self),
            let prefix = Self.range(0..<sequence, from: &reader),
            let first = Self.branch(at: sequence, from: &reader),
            let second = Self.branch(at: sequence, from: &reader), reader.isAtEnd
        else { return nil }
        self.init(
            log: LogID(raw: log),
            sequence: sequence,
            prefix: prefix,
            branches: Branches(first: first, second: second)
        )
    }

    /// Whether `device` signed both branches, and they differ at `sequence`.
    package func isProof(network: NetworkID, device: DeviceID) -> Bool {
        guard branches.first.leaf != branches.second.leaf else { return false }
        return [branches.first, branches.second].allSatisfy { branch in
            var range = prefix
            range.append(leaf: branch.leaf.raw)
            guard range.append(branch.right), let root = range.root else { return false }
            return Head(log: log, size: branch.size, root: root, signature: branch.signature)
                .isValid(network: network, device: device)
        }
    }

    private static func range(_ bounds: Range<UInt64>, from reader: inout ByteReader) -> LogRange? {
        var nodes: [Bytes32] = []
        for _ in 0..<TreePlace.count(covering: bounds) {
            guard let node = reader.bytes32() else { return nil }
            nodes.append(node)
        }
        return LogRange(bounds: bounds, nodes: nodes)
    }

    private static func branch(at sequence: UInt64, from reader: inout ByteReader) -> Branch? {
        guard let size = reader.integer(UInt64.self), size > sequence, size <= EntryLimits.maximumLogEntries,
            let signature = reader.signature(), let leaf = reader.bytes32(),
            let right = range(sequence + 1..<size, from: &reader)
        else { return nil }
        return Branch(size: size, signature: signature, leaf: EntryID(raw: leaf), right: right)
    }
}
