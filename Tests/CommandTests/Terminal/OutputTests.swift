import Foundation
import Testing

@testable import scurry

struct OutputTests {
    private let environment = Environment(["TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"])

    init() {
        Descriptor.ignoreBrokenPipes()
    }

    private func output(_ pipe: Pipe, for purpose: Output.Purpose = .data, _ colour: Look.ColourChoice = .auto)
        -> Output
    {
        Output(
            Descriptor(number: pipe.fileHandleForWriting.fileDescriptor),
            for: purpose,
            environment: environment,
            colour: colour
        )
    }

    @Test func `Lines come out once flushed, in the look of the stream`() throws {
        let pipe = Pipe()
        let output = output(pipe)
        try output.write(StyledLine("hazel", .bold))
        try output.write(JSONObject(["a": 1]))
        try output.flush()
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "hazel\n{\"a\":1}\n")
        #expect(!output.stream.isTerminal)
    }

    @Test func `Colour that was asked for goes into a pipe too`() throws {
        let pipe = Pipe()
        let output = output(pipe, .always)
        try output.write(StyledLine("hazel", .bold))
        try output.flush()
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text == "\u{1B}[1mhazel\u{1B}[0m\n")
    }

    @Test func `A reader who has gone ends the data, and is nothing to the messages`() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let data = output(pipe)
        try data.write(StyledLine("x"))
        #expect(throws: ReaderGone.self) { try data.flush() }
        let messages = output(pipe, for: .messages)
        try messages.write(StyledLine("x"))
        try messages.flush()
    }

    @Test func `Queued messages and the notice of lost ones wait for no reader, in the look of the stream`() throws {
        let pipe = try FullPipe()
        let stream = Descriptor(number: pipe.writing)
        let direct = Output(stream, for: .messages, environment: environment, colour: .always)
        let (output, queue) = direct.queued { StyledLine("\($0) lost", .bold) }
        try output.write(StyledLine("hazel", .dim))
        try output.flush()
        // More than may wait.
        try output.write(StyledLine(SafeText(line: String(repeating: "x", count: 300_000))))
        try output.flush()
        #expect(try pipe.wait(for: "lost\u{1B}[0m\n") == "\u{1B}[2mhazel\u{1B}[0m\n\u{1B}[1m1 lost\u{1B}[0m\n")
        #expect(queue.finish(milliseconds: Int(Spawned.patience) * 1_000) == .written)
    }

    @Test func `A full disk is a failure with its reason`() throws {
        guard let full = FileHandle(forWritingAtPath: "/dev/full") else { return }
        let output = Output(
            Descriptor(number: full.fileDescriptor),
            for: .data,
            environment: environment,
            colour: .never
        )
        try output.write(StyledLine("x"))
        let failure = #expect(throws: Failure.self) { try output.flush() }
        #expect(failure?.code == .failure)
        #expect(failure?.message.string.contains("No space left") == true)
    }

    @Test func `A stream that does not block is waited for`() async throws {
        let pipe = Pipe()
        let writing = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let sent = [UInt8](repeating: 0x61, count: 1_000_000)
        let writer = Task.detached {
            let outcome = Descriptor(number: writing).write(sent)
            close(writing)
            return outcome
        }
        let received = pipe.fileHandleForReading.readDataToEndOfFile()
        #expect(await writer.value == .written)
        #expect(received.count == sent.count)
    }
}

struct PagerTests {
    @Test func `The person's pager, else less, else none`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "less")
        chmod(folder.file("less"), 0o755)
        #expect(Pager(environment: Environment(["PATH": folder.path]))?.script == "less -FRX")
        #expect(Pager(environment: Environment(["PATH": folder.path, "PAGER": "most -s"]))?.script == "most -s")
        #expect(Pager(environment: Environment(["PATH": "/nowhere"])) == nil)
        #expect(Pager(environment: Environment(["PATH": folder.path, "PAGER": ""])) == nil)
        #expect(Pager(environment: Environment(["PATH": folder.path, "PAGER": "cat"])) == nil)
        #expect(Pager(environment: Environment(["PATH": folder.path, "TERM": "dumb"])) == nil)
    }

    @Test func `The pager gets everything, and settings for less`() throws {
        let folder = try TemporaryFolder()
        let script = "cat > '\(folder.file("out"))'; echo $LESS >> '\(folder.file("out"))'"
        let pager = Pager(environment: Environment(["PATH": "/usr/bin:/bin", "PAGER": script]))
        #expect(pager?.show(Array("hello\n".utf8)) == .shown)
        #expect(try folder.read("out") == "hello\nFRX\n")
    }

    @Test func `The pager has its pipe as standard input, and no other end of it`() throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            for end in /proc/$$/fd/*; do readlink "$end"; done | grep -c -x -F "$(readlink /proc/$$/fd/0)" > "$1"
            cat > "$2"

            """,
            to: "pager.sh"
        )
        let script = "sh '\(folder.file("pager.sh"))' '\(folder.file("ends"))' '\(folder.file("text"))'"
        let pager = try #require(Pager(environment: Environment(["PATH": "/usr/bin:/bin", "PAGER": script])))
        #expect(pager.show(Array("a page\n".utf8)) == .shown)
        #expect(try folder.read("text") == "a page\n")
        guard FileManager.default.fileExists(atPath: "/proc/self/fd") else { return }
        #expect(try folder.read("ends") == "1\n")
    }

    @Test func `Leaving the pager early is no error, a missing one shows nothing`() {
        Descriptor.ignoreBrokenPipes()
        let long = [UInt8](repeating: 0x61, count: 1_000_000)
        let path = "/usr/bin:/bin"
        #expect(Pager(environment: Environment(["PATH": path, "PAGER": "true"]))?.show(long) == .shown)
        #expect(Pager(environment: Environment(["PATH": path, "PAGER": "no-such-pager"]))?.show(long) == .notStarted)
    }
}
