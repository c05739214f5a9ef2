internal import Entries
@testable internal import Storage
@testable internal import Sync
@testable internal import Transport

/// A file of entries as it is read: the same in small lots and in large, and no more is read than there is.
enum BundleFuzz {
    static let network = NetworkID(name: "campus")

    static func run(_ input: inout FuzzInput) {
        let bytes = file(&input)
        let small = read(bytes, .frame)
        let large = read(bytes, .transaction)
        if small?.summary.fault?.fault != large?.summary.fault?.fault { broken("the fault depends on the lots") }
        if small?.chunks != large?.chunks || small?.words != large?.words {
            broken("what is taken depends on the lots")
        }
    }

    private struct Reading {
        let summary: ImportSummary
        var chunks = 0
        var words = 0
    }

    private static func read(_ bytes: [UInt8], _ bounds: BundleLot.Bounds) -> Reading? {
        guard var reader = try? BundleReader(bytes.source), reader.network == network else { return nil }
        var chunks = 0
        var words = 0
        let summary = try? BundleImport.read(&reader, bounds: bounds) { lot in
            chunks += lot.chunks.count
            words += lot.words.count
            var receipt = BundleReceipt()
            receipt.verdicts = lot.chunks.map { $0.start == 0 ? .taken : .later }
            return receipt
        }
        guard let summary else { broken("reading failed without a fault") }
        return Reading(summary: summary, chunks: chunks, words: words)
    }

    /// As it stands, or frames that are made into a whole file: the fuzzer does not find a hash.
    static func file(_ input: inout FuzzInput) -> [UInt8] {
        guard input.byte() & 1 == 1 else { return input.all() }
        var bytes: [UInt8] = []
        var writer = BundleDigest(header: BundleFormat.header(network))
        bytes += BundleFormat.header(network)
        while !input.isAtEnd {
            let frame = BundleFormat.bytes(Frame(type: input.byte(), body: input.take(input.short())))
            writer.add(frame)
            bytes += frame
        }
        return bytes + BundleFormat.bytes(Frame(type: BundleFormat.closingType, body: writer.closing))
    }
}

extension [UInt8] {
    fileprivate var source: BundleSource {
        var rest = self[...]
        return BundleSource { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}

/// The same file taken into a store: whatever it says, the store holds only what was proven, and is whole.
enum IntakeFuzz {
    static func run(_ input: inout FuzzInput) {
        let bytes = BundleFuzz.file(&input)
        guard holdsAnything(bytes) else { return }
        guard var reader = try? BundleReader(bytes.source), reader.network == BundleFuzz.network,
            let store = try? emptyStore()
        else { return }
        let intake = BundleIntake(store, network: BundleFuzz.network, release: .now)
        var recounts = BundleRecounts()
        do {
            let summary = try BundleImport.read(&reader, bounds: .transaction) { lot in
                let taking = try intake.take(lot.part, &recounts)
                if !taking.reports.isEmpty { isEmpty = false }
                return taking.receipt
            }
            guard !isEmpty || summary.entries > 0 else { return }
            let status = try store.reader.status()
            if summary.entries != UInt64(status.pendingEntries + status.entries) { broken("entries are lost") }
        } catch {
            broken("a file made the store fail: \(error)")
        }
    }

    nonisolated(unsafe) private static var store: (open: EntryStore, emptying: [String])?
    nonisolated(unsafe) private static var isEmpty = true

    /// The same one each time: opening one takes as long as a hundred files. Emptied only where something came: around
    /// each read in memory GRDB sets a pragma, after which SQLite prepares every statement anew.
    private static func emptyStore() throws -> EntryStore {
        let (store, emptying) = try self.store ?? open()
        self.store = (store, emptying)
        guard !isEmpty else { return store }
        isEmpty = true
        try store.transaction(.replicated) { db in
            for statement in emptying { try Prepared(db, statement).run() }
        }
        return store
    }

    private static func open() throws -> (EntryStore, [String]) {
        let store = try EntryStore(.memory, network: BundleFuzz.network, creation: .ifAbsent)
        let tables = try store.transaction(.replicated) { db in
            try Prepared(db, "SELECT name FROM sqlite_schema WHERE type = 'table'").all { $0.string(0) }
        }
        let filled = ["home", "home_facts", "runs"]
        let home = "UPDATE home SET number = 0, arrival = 0, own_log = NULL, published = 0, signing = 1"
        return (store, tables.filter { !filled.contains($0) }.map { "DELETE FROM \($0)" } + [home])
    }

    /// Emptying a store takes long beside finding that there is nothing for it.
    private static func holdsAnything(_ bytes: [UInt8]) -> Bool {
        guard var reader = try? BundleReader(bytes.source) else { return false }
        while case .frame(let frame)? = try? reader.next() {
            guard let part = try? BundlePart(frame) else { return false }
            switch part {
            case .chunks(let chunks): if !chunks.isEmpty { return true }
            case .words(let words): if !words.isEmpty { return true }
            }
        }
        return false
    }
}
