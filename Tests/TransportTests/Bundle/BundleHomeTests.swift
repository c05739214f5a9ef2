import Entries
import Storage
import Sync
import Testing

@testable import Transport

/// Bundles of real homes, with a node on them and without.
struct BundleHomeTests {
    let directory = TemporaryDirectory()

    private static let withControl: NodeOptions = {
        var options = NodeOptions.local
        options.control = .on
        return options
    }()

    private final class Sink {
        var bytes: [UInt8] = []
    }

    private func export(_ home: Home, since: UInt64? = nil) throws -> (bytes: [UInt8], summary: ExportSummary) {
        let sink = Sink()
        let summary = try BundleExport(home, since: since).run(to: { sink.bytes += $0 })
        return (sink.bytes, summary)
    }

    private static let hour: UInt64 = 3_600_000

    /// Writes a post at each of these hours, by a clock that has nothing come late.
    private func write(_ hours: [UInt64], in home: Home) throws {
        let device = try #require(try home.keys().device)
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never, clock: { 0 })
        let drafts = try hours.map { EntryStore.Draft(payload: try post("at \($0)"), time: $0 * Self.hour) }
        _ = try store.append(drafts, with: device.signing, publication: .held)
        try store.close()
    }

    private func take(_ bytes: [UInt8], into home: Home) throws -> ImportSummary {
        try BundleImport(home).run(.bytes(bytes))
    }

    private func reader(_ home: Home) throws -> StoreReader {
        try StoreReader(path: home.layout.store, network: home.network)
    }

    private func print(_ home: Home) throws -> String { try reader(home).fingerprint().fingerprint.description }

    private func post(_ text: String) throws -> Payload {
        var generator = TestRandomness()
        return .post(try Post(salt: Salt(using: &generator), text: text))
    }

    @Test func `A log of many frames arrives whole, with a node that takes it and without`() async throws {
        let home = try directory.home("a")
        try home.fill(posts: 300, bytes: 8_000)
        let (bytes, summary) = try export(home)
        #expect(summary.entries == 300 && summary.people == 1)
        // 300 posts of 8,000 bytes: five frames of half a mebibyte.
        #expect(bytes.count > 4 * 524_288)
        let (alone, served) = (try directory.home("b"), try directory.home("c"))
        #expect(try take(bytes, into: alone).entries == 300)
        try await withNode(served, options: Self.withControl) { node in
            let taken = try await blocking { try BundleImport(served).run(.bytes(bytes)) }
            #expect(taken.entries == 300 && taken.people == 1 && taken.isComplete)
            #expect(await node.report().fingerprint == (try self.print(home)))
        }
        #expect(try print(alone) == print(home))
        #expect(try print(served) == print(home))
    }

    @Test func `Since a time, each log begins at its first entry from then on`() throws {
        let home = try directory.home("a")
        try write(Array(1...50), in: home)
        // With an hour more.
        let (late, summary) = try export(home, since: 31 * Self.hour)
        #expect(summary.entries == 21)
        #expect(try export(home, since: 52 * Self.hour).summary.entries == 0)
        #expect(try export(home, since: 0).summary.entries == 50)
        let other = try directory.home("b")
        let refused = try take(late, into: other)
        #expect(refused.laterLogs == 1 && refused.entries == 0)
        #expect(try take(export(home).bytes, into: other).entries == 50)
        #expect(try take(late, into: other).isComplete)
    }

    @Test func `What a clock that went back wrote behind it comes along`() throws {
        let home = try directory.home("a")
        try write([5, 40, 3, 4], in: home)
        #expect(try export(home, since: 30 * Self.hour).summary.entries == 3)
    }

    @Test func `What came late is in a bundle since then, whatever its time`() throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        try write([1, 2, 3], in: home)
        let now = SystemClock.wallMilliseconds
        #expect(try export(home, since: now - Self.hour).summary.entries == 0)
        #expect(try take(export(home).bytes, into: other).entries == 3)
        let (late, summary) = try export(other, since: now - Self.hour)
        #expect(summary.entries == 3)
        #expect(try export(other, since: now + 24 * Self.hour).summary.entries == 0)
        #expect(try take(late, into: directory.home("c")).isComplete)
    }

    @Test func `That the own log leaves is on disk before the first byte`() throws {
        let home = try directory.home("a")
        _ = try Writer(home).write(try post("one"))
        #expect(try reader(home).ownRelease()?.published == 0)
        var seen: [UInt64?] = []
        let box = Sink()
        let summary = try BundleExport(home).run(
            to: { bytes in
                box.bytes += bytes
                if box.bytes.count == bytes.count { try #expect(reader(home).ownRelease()?.published == 1) }
            },
            progress: { _ in seen.append(try? reader(home).ownRelease()?.published) }
        )
        #expect(summary.entries == 1 && seen == [1])
    }

    @Test func `With a node it is the node that notes it`() async throws {
        let home = try directory.home("a")
        try await withNode(home, options: Self.withControl) { node in
            _ = try await node.post("one")
            _ = try await node.post("two")
            let before = try self.reader(home).ownRelease()
            #expect(before?.published == 0 && before?.size == 2)
            let entries = try await blocking { try BundleExport(home).run(to: { _ in }).entries }
            #expect(entries == 2)
            #expect(try self.reader(home).ownRelease()?.published == 2)
        }
    }

    @Test func `A home that signs nothing more exports what others wrote, and its own as far as it ever left`() throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        _ = try Writer(other).write(try post("by another"))
        _ = try take(export(other).bytes, into: home)
        _ = try Writer(home).write(try post("left"))
        #expect(try export(home).summary.entries == 2)
        let stop = { () throws in
            let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
            try store.stopSigning(.copied)
            try store.close()
        }
        try stop()
        #expect(try export(home).summary.entries == 2)
        _ = try home.keep()
        _ = try Writer(home).write(try post("never left"))
        try stop()
        let (_, summary) = try export(home)
        #expect(summary.entries == 1 && summary.ownLog == .leftOut)
        #expect(try reader(home).ownRelease()?.published == 1)
    }

    @Test func `A copied home lets nothing of its own leave in a bundle`() throws {
        let home = try directory.home("a")
        _ = try Writer(home).write(try post("never left"))
        let copy = try directory.copy("a", to: "b")
        #expect(try export(copy).summary.ownLog == .leftOut)
        #expect(try reader(copy).signingStop() == .copied)
        #expect(try export(home).summary.entries == 1)
    }

    @Test func `Another network's bundle is refused before anything is stored`() throws {
        let (home, other) = (try directory.home("a"), try directory.home("b", network: "elsewhere"))
        _ = try Writer(home).write(try post("one"))
        let bytes = try export(home).bytes
        #expect(throws: BundleRefusal.otherNetwork(home.network)) { try take(bytes, into: other) }
        #expect(try reader(other).status().entries == 0)
    }

    @Test func `What a cut bundle left half done in a running node a peer completes`() async throws {
        let (home, other) = (try directory.home("a"), try directory.home("b"))
        try home.fill(posts: 300, bytes: 8_000)
        let bytes = try export(home).bytes
        let cut = Array(bytes[..<(bytes.count / 2)])
        try await withNode(other, options: Self.withControl) { node in
            let taken = try await blocking { try BundleImport(other).run(.bytes(cut)) }
            #expect(taken.fault?.fault == .truncated && taken.entries > 0 && taken.entries < 300)
            #expect(try self.reader(other).status().entries == 0)
            try await withNode(home) { peer in
                try other.list(try peer.address)
                await node.readPeers()
                await node.hasPeers(1)
                #expect(await node.syncOnce(milliseconds: patience) == .equal(peers: 1, unreachable: 0))
            }
        }
        #expect(try print(other) == print(home))
    }

    @Test func `What a file brings into a node is offered to its peers, and its own log may leave`() async throws {
        let (home, other, third) = (try directory.home("a"), try directory.home("b"), try directory.home("c"))
        _ = try Writer(home).write(try post("by the one who carries"))
        _ = try Writer(third).write(try post("by somebody far away"))
        _ = try take(export(home).bytes, into: third)
        let bytes = try export(third).bytes
        try await withNode(other) { peer in
            try home.list(try peer.address)
            try await withNode(home, options: Self.withControl) { node in
                await node.hasPeers(1)
                let taken = try await blocking { try BundleImport(home).run(.bytes(bytes)) }
                #expect(taken.entries == 1 && taken.ownLog == .agreed)
                let wanted = try self.print(third)
                let reader = try self.reader(other)
                #expect(
                    await peer.wait(milliseconds: patience) { _ in
                        (try? reader.fingerprint().fingerprint.description) == wanted
                    } == .reached
                )
            }
        }
    }

    @Test func `A running node counts an identity anew a few times for a file of many frames`() async throws {
        let hazel = try BundleAuthor(1)
        for number in 0..<12 { try hazel.post("post \(number)") }
        let (log, entries) = (hazel.log, try TestBundle.all(hazel.store))
        let sizes = (0..<TransportLimits.bundleRecounts + 2).map { 11 - UInt64($0) }
        let words = try TestBundle.bytes(
            frames: sizes.flatMap { size in
                try ChangesFrame.encode([hazel.words(hazel.settlement(size, serial: 100 - size))])
            }
        )
        let home = try directory.home("a", network: "bundles")
        try await withNode(home, options: Self.withControl) { _ in
            var left: [UInt64?] = []
            for bytes in [entries, words, words] {
                let taken = try await blocking { try BundleImport(home).run(.bytes(bytes)) }
                #expect(taken.fault == nil && taken.isComplete == (left.count != 1))
                #expect(taken.passedLogs == (left.count == 1 ? 1 : 0))
                left.append(try self.reader(home).exportedLogs(after: 0, limit: 9).logs.first { $0.log == log }?.size)
            }
            #expect(left == [12, sizes[TransportLimits.bundleRecounts - 1], sizes.last])
        }
    }

    @Test func `A bundle that shows more of the own log ends signing in a running node`() async throws {
        let home = try directory.home("a")
        _ = try Writer(home).write(try post("common"))
        // The same home, copied: it goes on.
        let copy = try directory.copy("a", to: "b")
        _ = try copy.keep()
        _ = try Writer(copy).write(try post("by the copy"))
        let bytes = try export(copy).bytes
        try await withNode(home, options: Self.withControl) { node in
            let taken = try await blocking { try BundleImport(home).run(.bytes(bytes)) }
            #expect(taken.ownLog == .stopped)
            await #expect(throws: AppendError.refused(.signingStopped)) { try await node.post("no") }
            #expect(await node.report().isSigningStopped)
        }
        // Others hold all of it, whatever this home sent.
        let own = try #require(try reader(home).ownRelease())
        #expect(own.size == 2 && own.published == 2)
    }
}

extension TemporaryDirectory {
    /// A copy of a home, file by file.
    fileprivate func copy(_ name: String, to other: String) throws -> Home {
        try copyDirectory(path + "/" + name, to: path + "/" + other)
        return try Home(opening: HomeLayout(directory: path + "/" + other))
    }

    private func copyDirectory(_ from: String, to: String) throws {
        try FileSystem.makeDirectories(to)
        for name in try FileSystem.names(in: from) {
            let (old, new) = (from + "/" + name, to + "/" + name)
            if FileSystem.facts(ofItself: old)?.isDirectory == true {
                try copyDirectory(old, to: new)
            } else {
                let bytes = try FileSystem.read(old, limit: 1 << 30) ?? []
                try bytes.withUnsafeBytes { raw in
                    Result { () throws(SystemError) in try FileSystem.replace(new, with: raw) }
                }.get()
            }
        }
    }
}
