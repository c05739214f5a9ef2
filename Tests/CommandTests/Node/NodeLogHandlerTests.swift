import Foundation
import Testing

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The times in the log of a node that runs for long.
struct NodeLogHandlerTests {
    /// 30 December 2026, 14:02:00 UTC.
    private let started: UInt64 = 1_798_639_320_000
    private let day: UInt64 = 86_400_000

    private func time(_ now: UInt64, _ place: NodeLogHandler.Place) -> SafeText {
        NodeLogHandler.time(now, since: started, zone: .utc, in: place)
    }

    @Test func `On a terminal a line of another day than the first has its day`() {
        #expect(time(started, .terminal) == "14:02")
        #expect(time(started + day / 4, .terminal) == "20:02")
        #expect(time(started + day / 2, .terminal) == "31 Dec 02:02")
        #expect(time(started + 3 * day, .terminal) == "2 Jan 2027 14:02")
    }

    @Test func `In a file each line has its day, and in the journal none`() {
        for days in [0, 3] as [UInt64] { #expect(time(started + days * day, .journal) == "14:02") }
        #expect(time(started, .file) == "2026-12-30 14:02")
        #expect(time(started + 3 * day, .file) == "2027-01-02 14:02")
        #expect(time(.max, .file) == "far future")
    }

    /// The first line of a node whose standard error goes into a pipe, which `variables` may name.
    private func firstLine(_ variables: (_ stream: stat) -> [String: String]) throws -> Substring {
        let home = try TestHome(name: "hazel")
        let (reading, writing) = try Spawned.heldPipe()
        let output = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
        var stream = stat()
        try #require(fstat(writing, &stream) == 0)
        let arguments = ["run", "--listen", "127.0.0.1:0"]
        let node: Spawned
        do {
            // The node's end alone is to keep the pipe open.
            defer { close(writing) }
            node = try home.start(arguments, variables(stream), streams: .errors(to: writing))
        }
        _ = try home.answeredStatus()
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        return try #require(text.split(separator: "\n").first)
    }

    @Test func `A log that a program or a file takes is dated`() throws {
        #expect(try firstLine { _ in [:] }.starts(with: #/\d{4}-\d\d-\d\d \d\d:\d\d node /#))
        // Inherited from a service that started the program: that one's stream is the journal.
        let line = try firstLine { ["JOURNAL_STREAM": "\($0.st_dev):\($0.st_ino + 1)"] }
        #expect(line.starts(with: #/\d{4}-\d\d-\d\d \d\d:\d\d node /#), "\(line)")
    }

    @Test func `The journal is not told the day`() throws {
        let line = try firstLine { ["JOURNAL_STREAM": "\($0.st_dev):\($0.st_ino)"] }
        #expect(line.starts(with: #/\d\d:\d\d node /#), "\(line)")
    }

    @Test func `A terminal is not told the day on which the node starts`() throws {
        let home = try TestHome(name: "hazel")
        let node = try home.start(["run", "--listen", "127.0.0.1:0"], streams: .terminal(columns: 80))
        let shown = try node.wait(for: "Ctrl-C ends it")
        #expect(shown.contains(#/(?m)^\d\d:\d\d node /#), "\(shown)")
        node.signal(SIGTERM)
        #expect(try node.exitCode() == 0)
    }
}
