import Entries
import Foundation
import GRDB
import NIOConcurrencyHelpers
import NIOPosix
import Storage
import Testing

@testable import Transport

/// A home whose database the first version's program left behind.
struct EarlierVersionTests {
    private let directory = TemporaryDirectory()

    private func left(_ name: String = "a") throws -> Home {
        let home = try directory.home(name, network: "campus")
        for suffix in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: home.layout.store + suffix)
        }
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sql = try String(
            contentsOf: tests.appending(path: "StorageTests/Fixtures/store-version-1.sql"),
            encoding: .utf8
        )
        try DatabaseQueue(path: home.layout.store).writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
        }
        return home
    }

    /// Of the database as it was; each version's has a name of its own.
    private func copies(_ home: Home) throws -> [String] {
        let folder = (home.layout.store as NSString).deletingLastPathComponent
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".before-v") }
    }

    @Test func `Whoever reads first brings it up to date, and keeps a copy`() throws {
        let home = try left()
        #expect(throws: StorageError.olderVersion) { try StoreReader(path: home.layout.store, network: home.network) }
        let reader = try home.storeReader()
        #expect(try reader.feed(FeedQuery(now: .max, reader: nil)).posts.count == 3)
        #expect(try copies(home).count == 1)
        _ = try StoreReader(path: home.layout.store, network: home.network)
    }

    @Test func `A backup and an export bring it up to date, too`() throws {
        let backedUp = try left()
        try backedUp.backUp(to: backedUp.layout.data + "-backup")
        #expect(try copies(backedUp).count == 1)
        let exported = try left("b")
        var bytes = 0
        #expect(try BundleExport(exported).run(to: { bytes += $0.count }).entries > 0)
        #expect(bytes > 0)
        #expect(try copies(exported).count == 1)
    }

    @Test func `While another process writes there, nothing is changed`() throws {
        let home = try left()
        let lock = try HomeLock(home.layout)
        #expect(throws: HomeError.busy(process: FileSystem.process)) { try home.storeReader(patience: 0) }
        #expect(throws: StorageError.olderVersion) { try StoreReader(path: home.layout.store, network: home.network) }
        withExtendedLifetime(lock) {}
        #expect(try copies(home).isEmpty)
    }

    @Test func `Whoever comes while another process brings it up to date waits for it`() async throws {
        let home = try left()
        var lock: HomeLock? = try HomeLock(home.layout)
        let (hasBegun, hasEnded) = (NIOLockedValueBox(false), NIOLockedValueBox(false))
        async let reader = blocking {
            hasBegun.withLockedValue { $0 = true }
            defer { hasEnded.withLockedValue { $0 = true } }
            return try home.storeReader(patience: patience)
        }
        while !hasBegun.withLockedValue({ $0 }) { await Task.yield() }
        // Whoever does not wait ends after one try, and these take as long as several.
        for _ in 0..<20 {
            #expect(throws: HomeError.busy(process: FileSystem.process)) { try home.storeReader(patience: 0) }
        }
        #expect(!hasEnded.withLockedValue({ $0 }))
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try await reader.feed(FeedQuery(now: .max, reader: nil)).posts.count == 3)
        #expect(try copies(home).count == 1)
    }

    @Test func `Of many that come at once one brings it up to date`() async throws {
        let home = try left()
        try await withThrowingTaskGroup(of: StoreReader.self) { group in
            for _ in 0..<8 { group.addTask { try await blocking { try home.storeReader(patience: patience) } } }
            for try await reader in group {
                #expect(try reader.feed(FeedQuery(now: .max, reader: nil)).posts.count == 3)
            }
        }
        #expect(try copies(home).count == 1)
    }

    @Test func `For a node nobody waits`() async throws {
        let home = try left()
        let lock = try HomeLock(home.layout)
        let server = try await ControlServer(home.layout, group: MultiThreadedEventLoopGroup.singleton)
        let running = Task { await server.run { _ in .done } }
        await #expect(throws: HomeError.store(.olderVersion)) {
            try await blocking { try home.storeReader(patience: patience) }
        }
        running.cancel()
        await running.value
        withExtendedLifetime(lock) {}
    }
}
