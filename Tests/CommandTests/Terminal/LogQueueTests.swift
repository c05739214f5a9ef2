import Dispatch
import Foundation
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@testable import scurry

struct LogQueueTests {
    private static let patienceMilliseconds = Int(Spawned.patience) * 1_000

    /// A queue whose stream takes nothing until the pipe is read.
    private final class Stalled {
        let pipe: FullPipe
        let queue: LogQueue

        init(limitBytes: Int = 65_536) throws {
            pipe = try FullPipe()
            queue = LogQueue(Descriptor(number: pipe.writing), limitBytes: limitBytes) { Array("lost \($0)\n".utf8) }
        }

        deinit {
            // Before the descriptor is closed, and another file has its number.
            pipe.closeReading()
            queue.finish(milliseconds: patienceMilliseconds)
        }
    }

    init() {
        Descriptor.ignoreBrokenPipes()
    }

    /// What a call gives; a failure if it does not return.
    private func inTime<Result: Sendable>(_ call: @escaping @Sendable () -> Result) throws -> Result {
        let returned = DispatchSemaphore(value: 0)
        let result = Returned<Result>()
        Thread {
            let value = call()
            result.value.withLock { $0 = value }
            returned.signal()
        }.start()
        try #require(returned.wait(timeout: .now() + Spawned.patience) == .success, "it does not return")
        return try #require(result.value.withLock { $0 })
    }

    private final class Returned<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private func append(_ lines: some Sequence<String> & Sendable, to queue: LogQueue) throws {
        try inTime { for line in lines { queue.append(Array(line.utf8)) } }
    }

    @Test func `Whoever appends waits for no reader, who gets all lines in their order`() throws {
        let stalled = try Stalled()
        let lines = (0..<1_000).map { "line \($0)\n" }
        try append(lines, to: stalled.queue)
        #expect(try stalled.pipe.wait(for: "line 999\n") == lines.joined())
    }

    @Test func `Where lines are lost one line says how many, and later ones come after it`() throws {
        // Room for three.
        let stalled = try Stalled(limitBytes: 21)
        try append((0..<9).map { "line \($0)\n" }, to: stalled.queue)
        let before = "line 0\nline 1\nline 2\nlost 6\n"
        #expect(try stalled.pipe.wait(for: "lost 6\n") == before)
        try append(["line 9\n"], to: stalled.queue)
        #expect(try stalled.pipe.wait(for: "line 9\n") == before + "line 9\n")
    }

    @Test func `Lines of several threads come out whole, those of each in their order`() throws {
        let stalled = try Stalled()
        let queue = stalled.queue
        try inTime {
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<200 { queue.append(Array("\(thread) \(number)\n".utf8)) }
            }
            queue.append(Array("end\n".utf8))
        }
        let lines = try stalled.pipe.wait(for: "end\n").split(separator: "\n").dropLast()
        #expect(lines.count == 800)
        for thread in 0..<4 {
            let own = lines.filter { $0.hasPrefix("\(thread) ") }
            #expect(own.map(String.init) == (0..<200).map { "\(thread) \($0)" })
        }
    }

    @Test func `The end waits until all is written`() throws {
        let (reading, writing) = try Spawned.heldPipe()
        let queue = LogQueue(Descriptor(number: writing), limitBytes: 2_000_000) { Array("lost \($0)\n".utf8) }
        // More than a pipe holds.
        let lines = (0..<1_000).map { "\($0) " + String(repeating: "x", count: 1_000) + "\n" }
        let ending = Returned<LogQueue.Ending>()
        Thread {
            for line in lines { queue.append(Array(line.utf8)) }
            let ended = queue.finish(milliseconds: Self.patienceMilliseconds)
            ending.value.withLock { $0 = ended }
            close(writing)
        }.start()
        let text = FileHandle(fileDescriptor: reading, closeOnDealloc: true).readDataToEndOfFile()
        #expect(String(decoding: text, as: UTF8.self) == lines.joined())
        #expect(ending.value.withLock { $0 } == .written)
    }

    @Test func `The end waits no longer than it may`() throws {
        let stalled = try Stalled()
        let queue = stalled.queue
        #expect(try inTime { queue.finish(milliseconds: Self.patienceMilliseconds) } == .written)
        try append(["line\n"], to: queue)
        #expect(try inTime { queue.finish(milliseconds: 20) } == .stalled)
    }

    @Test func `A reader who goes away lets go of the writer, and is nothing to those who append`() throws {
        let stalled = try Stalled()
        let queue = stalled.queue
        try append(["before\n"], to: queue)
        stalled.pipe.closeReading()
        try append(["after\n"], to: queue)
        #expect(try inTime { queue.finish(milliseconds: Self.patienceMilliseconds) } == .written)
    }
}
