internal import Entries
internal import Storage
internal import Sync

/// Everything that a home holds, or what is new since some time, as a stream of bytes (`protocol/bundle.md` §4).
///
/// Reads the database itself, so that a dead node holds nothing up; calls block.
package struct BundleExport {
    private let home: Home
    private let since: UInt64?

    /// `since` (Unix milliseconds): each log from its first entry of that time or later.
    package init(_ home: Home, since: UInt64? = nil) {
        self.home = home
        self.since = since
    }

    /// Writes the bundle; the own log only when it is noted that it left.
    ///
    /// - Throws: `StorageError`, `HomeError`, `WriteError`, and whatever `write` throws.
    package func run(
        to write: @escaping ([UInt8]) throws -> Void,
        progress: (ExportSummary) -> Void = { _ in }
    ) throws -> ExportSummary {
        let reader = try reader()
        var own = try released(reader.ownRelease())
        var writer = try BundleWriter(home.network, to: write)
        var summary = ExportSummary()
        try add(reader.exportedEnds(), to: &writer, &summary)
        var number: Int64 = 0
        while true {
            let page = try reader.exportedLogs(after: number, limit: Self.pageLogs)
            guard let next = page.next else { break }
            number = next
            summary.unreadableLogs += page.unreadable
            let logs = Dictionary(page.logs.map { ($0.log, $0) }, uniquingKeysWith: { first, _ in first })
            // Ahead of the entries: some are proven by nothing else.
            try add(page.logs.compactMap(\.words), to: &writer, &summary)
            var wants = try page.logs.compactMap { try want($0, reader) }
            while !wants.isEmpty {
                var chunks: [UnverifiedChunk] = []
                for chunk in try read(&wants, reader, &summary) {
                    guard let log = logs[chunk.log] else { continue }
                    guard try mayLeave(chunk, of: log, &own) else {
                        wants.removeAll { $0.log == chunk.log }
                        summary.ownLog = .leftOut
                        continue
                    }
                    summary.add(chunk, of: log)
                    chunks.append(chunk)
                }
                if !chunks.isEmpty { try writer.add(ChunksFrame.encode(chunks)) }
                progress(summary)
            }
        }
        try writer.close()
        return summary
    }

    private func reader() throws -> StoreReader {
        do throws(HomeError) {
            return try home.storeReader()
        } catch {
            // What is wrong with the database has words of its own.
            if case .store(let reason) = error { throw reason }
            throw error
        }
    }

    /// Logs looked at together: what fills a frame when each has a few entries; a guess.
    private static let pageLogs = 1_024
    /// What is read from the store for one frame: half of the largest.
    private static let frameBytes = Limits.maximumMessageBytes / 2

    private func add(
        _ words: [LogWords],
        to writer: inout BundleWriter,
        _ summary: inout ExportSummary
    ) throws {
        for words in words { summary.add(words) }
        for frame in ChangesFrame.encode(words) { try writer.add(frame) }
    }

    private func want(_ log: ExportedLog, _ reader: StoreReader) throws(StorageError) -> RangeWant? {
        guard log.size > 0 else { return nil }
        guard let since else { return RangeWant(log: log.log, from: 0, certificate: .send) }
        return try reader.firstEntry(of: log, since: since).map {
            RangeWant(log: log.log, from: $0, certificate: .send)
        }
    }

    /// The chunks of one frame; takes what they answer from the wants.
    private func read(
        _ wants: inout [RangeWant],
        _ reader: StoreReader,
        _ summary: inout ExportSummary
    ) throws(StorageError) -> [UnverifiedChunk] {
        let lot = Array(wants.prefix(ChunksFrame.maximumCount))
        var damaged = 0
        // In this moment more than ever all others are to be saved.
        let answers = try reader.ranges(lot, byteLimit: Self.frameBytes) { _ in damaged += 1 }
        summary.unreadableLogs += damaged
        summary.cutLogs -= damaged
        var chunks: [UnverifiedChunk] = []
        var unfinished: [RangeWant] = []
        for answer in answers {
            guard case .chunk(let chunk) = answer else {
                // What is not here proves nothing behind it to who has not got it either.
                summary.cutLogs += 1
                continue
            }
            chunks.append(chunk)
            let end = chunk.start + chunk.count
            if end < chunk.size { unfinished.append(RangeWant(log: chunk.log, from: end, certificate: .known)) }
        }
        wants.replaceSubrange(..<answers.count, with: unfinished)
        return chunks
    }

    // MARK: The own log

    /// True of everybody else's entries, of those that a peer brought, and of own ones that are noted to have left.
    private func mayLeave(_ chunk: UnverifiedChunk, of log: ExportedLog, _ own: inout OwnRelease?) throws -> Bool {
        guard let known = own, known.log == chunk.log, chunk.size > known.published else { return true }
        // Written in this very moment, or by a home that signs nothing more.
        own = try OwnLogRelease(home).perform() ?? own
        return chunk.size <= own?.published ?? 0 || log.source != nil
    }

    private func released(_ own: OwnRelease?) throws(WriteError) -> OwnRelease? {
        guard let own, own.published < own.size else { return own }
        return try OwnLogRelease(home).perform() ?? own
    }
}

/// What an export wrote.
package struct ExportSummary: Sendable {
    package private(set) var entries: UInt64 = 0
    package var people: Int { identities.count }
    package var ownLog = OwnLogPart.told
    /// Logs of which not all is written: a part of their history has not come yet.
    package fileprivate(set) var cutLogs = 0
    /// Logs that the store cannot read, or not to their end: they are not in the file, or not whole.
    package fileprivate(set) var unreadableLogs = 0
    /// Logs with a settlement or fork evidence.
    package private(set) var judgedLogs = 0
    package private(set) var endedAccounts = 0
    private var identities: Set<IdentityID> = []

    /// Nothing is in the file.
    package var isEmpty: Bool { entries == 0 && judgedLogs == 0 && endedAccounts == 0 }

    package enum OwnLogPart: Hashable, Sendable {
        case told
        /// This home signs nothing more, and what it wrote last has never left it.
        case leftOut
    }

    fileprivate mutating func add(_ words: LogWords) {
        if words.certificate == nil { endedAccounts += 1 } else { judgedLogs += 1 }
    }

    fileprivate mutating func add(_ chunk: UnverifiedChunk, of log: ExportedLog) {
        entries += chunk.count
        identities.insert(log.identity)
    }
}

/// Notes that all of the own log leaves: by the running node, or alone under the home's lock.
struct OwnLogRelease {
    private let home: Home

    init(_ home: Home) {
        self.home = home
    }

    /// How the log stands then; nil for a hub.
    func perform() throws(WriteError) -> OwnRelease? {
        switch try HomeTurn.take(home) {
        case .node(let client):
            switch try HomeTurn.ask(.releaseOwnLog, client) {
            case .released(let log, let size, let published):
                return OwnRelease(log: log, size: size, published: published)
            case .failed(let reason): throw .failed(reason)
            case .done: return nil
            case .appended, .refused, .status, .synced, .imported: throw .uncertain(.notUnderstood)
            }
        case .alone(let lock):
            defer { withExtendedLifetime(lock) {} }
            let store: EntryStore
            do throws(HomeError) { store = try home.openStore() } catch { throw WriteError(error) }
            defer { try? store.close() }
            do throws(StorageError) { return try store.releaseOwnLog() } catch { throw .storage(error) }
        }
    }
}
