internal import Entries
internal import FoundationEssentials
package import Storage
internal import Sync

/// Imports a bundle through the running node, or directly under the home's lock (`protocol/bundle.md` §4).
///
/// Calls block. Memory holds one frame, or the frames of one transaction.
package struct BundleImport {
    private let home: Home
    private let budget: DiskBudget?

    /// `budget` bounds the database where no node runs; a running node applies its own.
    package init(_ home: Home, budget: DiskBudget? = nil) {
        self.home = home
        self.budget = budget
    }

    /// Imports up to the end, or to the first fault; what precedes it stays.
    ///
    /// - Throws: `BundleRefusal` before anything is stored; `SystemError`, `StorageError` or `WriteError` if the import
    ///   had to stop: what was stored by then stays.
    package func run(
        _ source: BundleSource,
        progress: (ImportSummary) -> Void = { _ in }
    ) throws -> ImportSummary {
        var reader = try BundleReader(source)
        guard reader.network == home.network else { throw BundleRefusal.otherNetwork(reader.network) }
        let taker = try BundleTaker(home, budget)
        defer { taker.close() }
        return try Self.read(&reader, bounds: taker.bounds, progress: progress) { try taker.take($0) }
    }

    /// Reads the frames after the header in lots, and passes each lot to `take`, after which the bounds may be others.
    static func read(
        _ reader: inout BundleReader,
        bounds: @autoclosure () -> BundleLot.Bounds,
        progress: (ImportSummary) -> Void = { _ in },
        taking take: (BundleLot) throws -> BundleReceipt
    ) throws -> ImportSummary {
        var summary = ImportSummary()
        var lot = BundleLot()
        func flush() throws {
            defer { lot = BundleLot() }
            guard !lot.isEmpty else { return }
            summary.add(try take(lot), of: lot)
            progress(summary)
        }
        while true {
            switch try reader.next() {
            case .frame(let frame):
                let part: BundlePart
                do throws(SyncViolation) {
                    part = try BundlePart(frame)
                } catch {
                    try flush()
                    summary.end(with: BundleFault(error), at: reader.place)
                    return summary
                }
                // Words form a lot of their own, so that they are applied in the order of the file.
                if part.isWords || lot.hasWords { try flush() }
                if summary.fault != nil { return summary }
                lot.add(part, frame, at: reader.place)
                guard lot.isFull(bounds()) else { continue }
                try flush()
                if summary.fault != nil { return summary }
            case .complete:
                try flush()
                return summary
            case .fault(let fault):
                try flush()
                summary.end(with: fault, at: reader.place)
                return summary
            }
        }
    }
}

/// The content of a frame.
enum BundlePart {
    case chunks([UnverifiedChunk])
    /// Settlements, fork evidence and ends of accounts.
    case words([UnverifiedWords])

    /// Decodes a frame; one of a type from a later version is empty.
    init(_ frame: Frame) throws(SyncViolation) {
        self =
            frame.type == ChangesFrame.type
            ? .words(try ChangesFrame.decode(frame)) : .chunks(try ChunksFrame.decode(frame))
    }

    var isWords: Bool {
        switch self {
        case .chunks: false
        case .words: true
        }
    }
}

/// Chunks that are imported in one step, each with its place in the file; or the words of one frame.
struct BundleLot {
    private(set) var chunks: [UnverifiedChunk] = []
    private(set) var words: [UnverifiedWords] = []
    private(set) var frames: [Frame] = []
    private(set) var places: [BundlePlace] = []
    private var entries: UInt64 = 0
    private var bytes = 0

    struct Bounds {
        let entries: UInt64
        let bytes: Int

        /// One frame.
        static let frame = Bounds(entries: 1, bytes: 1)
        /// One transaction.
        static let transaction = Bounds(
            entries: TransportLimits.importTransactionEntries,
            bytes: TransportLimits.importTransactionBytes
        )
    }

    var isEmpty: Bool { chunks.isEmpty && words.isEmpty }
    var hasWords: Bool { !words.isEmpty }
    var part: BundlePart { hasWords ? .words(words) : .chunks(chunks) }

    mutating func add(_ part: BundlePart, _ frame: Frame, at place: BundlePlace) {
        let count: Int
        switch part {
        case .chunks(let more):
            chunks += more
            count = more.count
            for chunk in more { entries = min(entries + chunk.count, .max / 2) }
        case .words(let more):
            words += more
            count = more.count
        }
        guard count > 0 else { return }
        frames.append(frame)
        places += Array(repeating: place, count: count)
        bytes += frame.body.count
    }

    func isFull(_ bounds: Bounds) -> Bool { entries >= bounds.entries || bytes >= bounds.bytes }
}

/// The writer of an import: the running node, or this process under the home's lock.
private final class BundleTaker {
    private enum Way {
        case node(ControlClient)
        case alone(HomeLock, EntryStore, BundleIntake)
    }

    private let home: Home
    private let budget: DiskBudget?
    /// What the file made to be counted anew, where no node counts it.
    private var recounts = BundleRecounts()
    /// What the node knows the file by, among those that are read into it.
    private let file = UInt64.random(in: .min ... .max)
    /// Without a node nil until a lot is whole: the pipe that it comes from may stall, and nobody else could write
    /// meanwhile.
    private var way: Way?

    init(_ home: Home, _ budget: DiskBudget?) throws {
        self.home = home
        self.budget = budget
        way = try HomeTurn.node(home).map { .node($0) }
    }

    private func claim() throws -> Way {
        if let way { return way }
        let found: Way
        switch try HomeTurn.take(home) {
        case .node(let client): found = .node(client)
        case .alone(let lock):
            let store: EntryStore
            do throws(HomeError) { store = try home.openStore() } catch { throw WriteError(error) }
            if let budget { try store.keep(within: budget) { SystemClock.wallMilliseconds } }
            found = .alone(lock, store, BundleIntake(store, network: home.network, release: .now))
        }
        way = found
        return found
    }

    /// One frame for a node's request; else one transaction.
    var bounds: BundleLot.Bounds {
        switch way {
        case .node: .frame
        case .alone, nil: .transaction
        }
    }

    func take(_ lot: BundleLot) throws -> BundleReceipt {
        switch try claim() {
        case .alone(_, _, let intake): return try intake.take(lot.part, &recounts).receipt
        case .node(let client):
            // Several frames if the node has started since the first of them was read.
            var receipt = BundleReceipt()
            for frame in lot.frames {
                let body = Data(frame.body)
                let request: ControlRequest =
                    lot.hasWords ? .importChanges(body, file: file) : .importChunks(body, file: file)
                switch try HomeTurn.ask(request, client) {
                case .imported(let more): receipt.add(more)
                case .failed(let failure): throw WriteError.failed(failure)
                case .appended, .refused, .status, .synced, .done, .released:
                    throw WriteError.uncertain(.notUnderstood)
                }
                if case .fault? = receipt.verdicts.last { break }
            }
            return receipt
        }
    }

    func close() {
        // Everything is stored: the next start finishes what `close` could not.
        if case .alone(_, let store, _) = way { try? store.close() }
    }
}
