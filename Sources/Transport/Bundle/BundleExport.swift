internal import Entries
internal import Storage
internal import Sync

/// Exports the home's logs, all of them or what is new since a time, as a bundle (`protocol/bundle.md` §4).
///
/// Reads the database directly, so that a dead node does not block it; calls block.
package struct BundleExport {
    private let home: Home
    private let since: UInt64?

    /// With `since` (Unix milliseconds) each log begins at its first entry that was written then or later, or that came
    /// here then.
    package init(_ home: Home, since: UInt64? = nil) {
        self.home = home
        self.since = since
    }

    /// Writes the bundle; includes entries of the own log only once they are marked as published.
    ///
    /// - Throws: `StorageError`, `HomeError`, `WriteError`, and the errors of `write`.
    package func run(
        to write: @escaping ([UInt8]) throws -> Void,
        progress: (ExportSummary) -> Void = { _ in }
    ) throws -> ExportSummary {
        let (reader, lock) = try reader()
        defer { withExtendedLifetime(lock) {} }
        var summary = ExportSummary()
        // Under this lock, and on a full disk, nothing can be marked.
        summary.couldNotMark = lock != nil
        var own = try released(reader.ownRelease(), &summary)
        var writer = try BundleWriter(home.network, to: write)
        try add(reader.exportedEnds(), to: &writer, &summary)
        var number: Int64 = 0
        while true {
            let page = try reader.exportedLogs(after: number, limit: TransportLimits.exportPageLogs)
            guard let next = page.next else { break }
            number = next
            summary.unreadableLogs += page.unreadable
            var (logs, words, wants) = ([LogID: ExportedLog](), [LogWords](), [RangeWant]())
            for log in page.logs {
                let wanted = try want(log, reader)
                guard wanted != nil || log.words != nil else { continue }
                // One damaged log would end the import of the whole bundle.
                guard try reader.isAsSigned(log.log) else {
                    summary.unreadableLogs += 1
                    continue
                }
                logs[log.log] = log
                if let said = log.words { words.append(said) }
                if let wanted { wants.append(wanted) }
            }
            // Before the entries: some are proven only by a settlement or by evidence.
            try add(words, to: &writer, &summary)
            while !wants.isEmpty {
                var chunks: [UnverifiedChunk] = []
                for chunk in try read(&wants, reader, &summary) {
                    guard let log = logs[chunk.log] else { continue }
                    guard try mayLeave(chunk, of: log, &own, &summary) else {
                        wants.removeAll { $0.log == chunk.log }
                        summary.ownLog = summary.couldNotMark ? .unmarked : .leftOut
                        continue
                    }
                    summary.add(
                        chunk,
                        of: log,
                        evicted: try reader.evictedBodies(of: log, in: chunk.start..<chunk.start + chunk.count)
                    )
                    chunks.append(chunk)
                }
                if !chunks.isEmpty { try writer.add(ChunksFrame.encode(chunks)) }
                progress(summary)
            }
        }
        try writer.close()
        return summary
    }

    private func reader() throws -> (StoreReader, HomeLock?) {
        do throws(HomeError) {
            return try home.steadyReader()
        } catch {
            // A database error keeps its own type.
            if case .store(let reason) = error { throw reason }
            throw error
        }
    }

    /// Bytes read from the store for one frame: half of the largest frame.
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

    /// Reads the chunks of one frame, and removes the answered wants.
    private func read(
        _ wants: inout [RangeWant],
        _ reader: StoreReader,
        _ summary: inout ExportSummary
    ) throws(StorageError) -> [UnverifiedChunk] {
        let lot = Array(wants.prefix(ChunksFrame.maximumCount))
        var damaged = 0
        // An unreadable log must not stop the export of the others.
        let answers = try reader.ranges(lot, byteLimit: Self.frameBytes) { _ in damaged += 1 }
        summary.unreadableLogs += damaged
        summary.cutLogs -= damaged
        var chunks: [UnverifiedChunk] = []
        var unfinished: [RangeWant] = []
        for answer in answers {
            guard case .chunk(let chunk) = answer else {
                // A gap: a reader without these entries cannot verify what follows them.
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

    /// Whether a chunk may be exported: others' entries, own ones that a peer sent, and own ones that are published.
    private func mayLeave(
        _ chunk: UnverifiedChunk,
        of log: ExportedLog,
        _ own: inout OwnRelease?,
        _ summary: inout ExportSummary
    ) throws -> Bool {
        guard let known = own, known.log == chunk.log, chunk.size > known.published else { return true }
        // Appended since the export began, or by a home that signs nothing more.
        own = try release(&summary) ?? own
        return chunk.size <= own?.published ?? 0 || log.source != nil
    }

    private func released(_ own: OwnRelease?, _ summary: inout ExportSummary) throws(WriteError) -> OwnRelease? {
        guard let own, own.published < own.size else { return own }
        return try release(&summary) ?? own
    }

    /// Marks the own log as published. A disk that takes no mark is a reason to keep the log back, since the home might
    /// sign other entries in the place of unmarked ones, and none to keep back the others'.
    private func release(_ summary: inout ExportSummary) throws(WriteError) -> OwnRelease? {
        guard !summary.couldNotMark else { return nil }
        do throws(WriteError) {
            return try OwnLogRelease(home).perform()
        } catch {
            guard error.isOfDisk else { throw error }
            summary.couldNotMark = true
            return nil
        }
    }
}

/// Summary of an export.
package struct ExportSummary: Sendable {
    package private(set) var entries: UInt64 = 0
    /// Entries among them whose body gave way to the disk budget, and is not in the file.
    package private(set) var evictedBodies: UInt64 = 0
    package var people: Int { identities.count }
    package var ownLog = OwnLogPart.told
    /// Logs exported in part: a part of their history is missing here.
    package fileprivate(set) var cutLogs = 0
    /// Logs that the store cannot read to the end, or that are not what their authors signed: missing in the file, or
    /// incomplete.
    package fileprivate(set) var unreadableLogs = 0
    /// Logs exported with a settlement or fork evidence.
    package private(set) var judgedLogs = 0
    package private(set) var endedAccounts = 0
    private var identities: Set<IdentityID> = []

    /// Whether the bundle holds nothing.
    package var isEmpty: Bool { entries == 0 && judgedLogs == 0 && endedAccounts == 0 }

    package enum OwnLogPart: Hashable, Sendable {
        case told
        /// Its last entries are left out: they were never published, and this home signs nothing more.
        case leftOut
        /// It is left out: its last entries were never published, and the home's disk takes no mark that they are.
        case unmarked
    }

    /// Whether the home's disk took no mark; then it is not asked again.
    fileprivate var couldNotMark = false

    fileprivate mutating func add(_ said: LogWords) {
        if said.words.certificate == nil { endedAccounts += 1 } else { judgedLogs += 1 }
    }

    fileprivate mutating func add(_ chunk: UnverifiedChunk, of log: ExportedLog, evicted: UInt64) {
        entries += chunk.count
        evictedBodies += evicted
        identities.insert(log.identity)
    }
}

/// Marks the whole own log as published, through the running node or under the home's lock.
struct OwnLogRelease {
    private let home: Home

    init(_ home: Home) {
        self.home = home
    }

    /// Returns the own log's size and published size afterwards; nil for a hub.
    func perform() throws(WriteError) -> OwnRelease? {
        switch try HomeTurn.take(home) {
        case .node(let client):
            switch try HomeTurn.ask(.releaseOwnLog, client) {
            case .released(let log, let size, let published):
                return OwnRelease(log: log, size: size, published: published)
            case .failed(let failure): throw .failed(failure)
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
