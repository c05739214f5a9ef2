internal import Entries
internal import Simulation
internal import Sodium
@testable internal import Sync

/// What proves entries: packed entries, chunks, fork evidence, settlements, certificates, prefixes.
///
/// Nothing is verified that was not signed, all that was is, and every form has one spelling.
enum ProofFuzz {
    private static let network = NetworkID(name: "campus")
    private static let author = Author(seed: 1, network: network)
    private static let verifier = ChunkVerifier(network: network)
    /// Compact ranges of [0, n).
    private static let ranges: [LogRange] = {
        var ranges = [LogRange()]
        for place in 0..<80 {
            var next = ranges[place]
            next.append(leaf: Author.bytes(UInt64(place), "leaf"))
            ranges.append(next)
        }
        return ranges
    }()

    static func run(_ input: inout FuzzInput) {
        switch input.byte() % 8 {
        case 0: packed(&input)
        case 1: evidence(input.all())
        case 2: settlement(input.all())
        case 3: certificate(input.all())
        case 4: chunk(&input)
        case 5: messages(&input)
        case 6: prefix(&input)
        default: descent(&input)
        }
    }

    private static func packed(_ input: inout FuzzInput) {
        let count = input.short() % 5_000
        let start = input.long() % (EntryLimits.maximumLogEntries - 5_000)
        let bytes = input.all()
        guard let entries = try? EntryCoding.decode(bytes[...], count: count, log: author.log, start: start) else {
            return
        }
        if entries.count != count { broken("another number of entries") }
        if EntryCoding.encode(entries) != bytes { broken("entries have a second spelling") }
        for (place, entry) in entries.enumerated() {
            if entry.header.sequence != start + UInt64(place) { broken("another sequence number") }
            if let payload = entry.payload, PayloadHash(of: payload) != entry.header.payloadHash {
                broken("another hash")
            }
        }
    }

    private static func evidence(_ bytes: [UInt8]) {
        guard let evidence = ForkEvidence(bytes) else { return }
        if evidence.bytes != bytes { broken("evidence has a second spelling") }
        let device = author.certificate.certificate.device
        // The device signed one history here, so nothing proves that it forked.
        if evidence.isProof(network: network, device: device) { broken("evidence of what never was") }
    }

    private static func settlement(_ bytes: [UInt8]) {
        if let read = SignedSettlement(trusting: bytes), read.bytes != bytes {
            broken("a settlement has a second spelling")
        }
        if let read = try? SignedSettlement(verifying: bytes, network: network), read.bytes != bytes {
            broken("a settlement has a second spelling")
        }
    }

    private static func certificate(_ bytes: [UInt8]) {
        guard let read = try? SignedCertificate(verifying: bytes, network: network) else { return }
        if read.bytes != bytes { broken("a certificate has a second spelling") }
    }

    /// Entries that the fuzzer wrote, signed as their author would; then with a byte changed.
    private static func chunk(_ input: inout FuzzInput) {
        let held = UInt64(input.byte() % 80)
        let count = UInt64(1 + input.byte() % 40)
        let beyond = UInt64(input.short())
        let (place, mask) = (input.short(), input.byte())
        let bytes = input.all()
        let size = held + count + beyond
        let right = TreePlace.covering(held + count..<size).map { Author.bytes($0.index, "node") }
        let prefix = LogPrefix(certificate: author.certificate, range: ranges[Int(held)])
        func judge(_ bytes: [UInt8], _ signature: Signature) -> ChunkOutcome {
            verifier.verify(
                UnverifiedChunk(
                    log: author.log,
                    certificate: nil,
                    start: held,
                    count: count,
                    size: size,
                    signature: signature,
                    entries: bytes,
                    right: right
                ),
                over: prefix
            )
        }
        let decoded = try? EntryCoding.decode(bytes[...], count: Int(count), log: author.log, start: held)
        guard let decoded else {
            let none = Signature([UInt8](repeating: 0, count: Signature.count)) ?? { broken("64 bytes") }()
            guard case .violation(.entries) = judge(bytes, none) else { broken("entries passed that cannot be read") }
            return
        }
        var tip = ranges[Int(held)]
        for entry in decoded { tip.append(leaf: entry.id.raw) }
        var whole = tip
        guard let rest = LogRange(bounds: held + count..<size, nodes: right), whole.append(rest), let root = whole.root
        else { broken("a range of true bounds") }
        let head = Head(signing: author.log, size: size, root: root, network: network, with: author.device)
        guard case .verified(let chunk) = judge(bytes, head.signature) else { broken("a true chunk was refused") }
        if chunk.entries != decoded || chunk.tip != tip { broken("other entries were verified") }
        guard bytes.indices.contains(place) else { return }
        var changed = bytes
        changed[place] ^= mask
        if case .verified(let other) = judge(changed, head.signature),
            other.entries.map(\.id) != chunk.entries.map(\.id)
        {
            broken("other entries under the same head")
        }
    }

    /// Chunks as a message brings them, over what is known of a log in all its forms.
    private static func messages(_ input: inout FuzzInput) {
        let flags = input.byte()
        let range = ranges[Int(input.byte() % 80)]
        let known = KnownRoot(size: UInt64(input.byte()), root: range.root ?? .zero)
        let prefix = LogPrefix(
            certificate: flags & 1 == 0 ? nil : author.certificate,
            range: range,
            cut: flags & 2 == 0 ? nil : known,
            settled: flags & 4 == 0 ? nil : known,
            side: flags & 8 == 0 ? nil : ranges[3]
        )
        guard case .chunks(let chunks)? = try? Message(Frame(type: MessageType.chunks.rawValue, body: input.all()))
        else { return }
        for var chunk in chunks.chunks.prefix(64) {
            if flags & 16 != 0 { chunk.askedFrom = chunk.start / 2 }
            switch verifier.verify(chunk, over: prefix) {
            case .verified(let found):
                if UInt64(found.entries.count) != chunk.count { broken("other entries were verified") }
            case .prefixDiffers(let disputed):
                _ = disputed.judge(prefix: range.nodes, network: network)
            case .doesNotFit, .certificateMissing, .unknownRoot, .violation: break
            }
        }
    }

    /// What a peer shows of its prefix, with whatever bounds and nodes.
    private static func prefix(_ input: inout FuzzInput) {
        let (end, size) = (input.long(), input.long())
        let counts = (input.byte() % 65, input.byte() % 65)
        let nodes = (0..<counts.0).map { Author.bytes(UInt64($0), "node") }
        let right = (0..<counts.1).map { Author.bytes(UInt64($0), "right") }
        guard let proof = PrefixProof(end: end, nodes: nodes, size: size, right: right, proof: .known) else { return }
        if proof.end != end || proof.size != size { broken("other bounds") }
        let known = LogPrefix(
            certificate: author.certificate,
            range: ranges[5],
            settled: KnownRoot(size: size, root: .zero)
        )
        let device = author.certificate.certificate.device
        guard case .proven = proof.judge(log: author.log, network: network, device: device, known: known) else {
            _ = Descent.begin(log: author.log, theirs: proof, proof: .settled(size: size), ours: ranges[5])
            return
        }
        broken("a root of zeros")
    }

    /// Two histories whose first difference is known: it is found, whatever is wrong with an answer it is nothing else.
    private static func descent(_ input: inout FuzzInput) {
        let size = UInt64(2 + input.short() % 700)
        let first = UInt64(input.short()) % size
        let leaves = { (seed: UInt64) in (0..<size).map { Author.bytes($0 >= first ? seed : 0, "leaf \($0)") } }
        let (theirs, ours) = (leaves(1), leaves(2))
        guard
            let proof = PrefixProof(
                end: size,
                nodes: range(0..<size, theirs).nodes,
                size: size,
                right: [],
                proof: .known
            )
        else { broken("a range of true bounds") }
        var (descent, step) = Descent.begin(
            log: author.log,
            theirs: proof,
            proof: .settled(size: size),
            ours: range(0..<size, ours)
        )
        var isTrue = true
        while case .question(let place) = step {
            var answer = place.descendants.map { range($0.bounds, theirs).nodes.first ?? .zero }
            switch input.byte() {
            case 1:
                answer.removeLast(min(answer.count, Int(input.byte())))
                isTrue = false
            case 2:
                let changed = Int(input.byte()) % answer.count
                answer[changed] = Author.bytes(UInt64(changed), "lie")
                isTrue = false
            default: break
            }
            let own = place.descendants.map { range($0.bounds, ours).nodes.first ?? .zero }
            step = descent?.answered(theirs: answer, ours: own) ?? .same
        }
        switch step {
        case .found(let finding): if finding.sequence != first { broken("another first difference") }
        case .lie: if isTrue { broken("the truth was called a lie") }
        case .same, .question: broken("a difference was not found")
        }
    }

    private static func range(_ bounds: Range<UInt64>, _ leaves: [Bytes32]) -> LogRange {
        var range = LogRange(at: bounds.lowerBound)
        for place in bounds { range.append(leaf: leaves[Int(place)]) }
        return range
    }
}
