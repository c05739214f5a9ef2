import Foundation
import Testing

@testable import scurry

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

struct TextSourceTests {
    @Test func `A text whose writer is slow is waited for, also where standard input does not wait`() throws {
        let (input, output) = try Spawned.heldPipe()
        defer { close(input) }
        #expect(fcntl(input, F_SETFL, O_NONBLOCK) == 0)
        // A reader that gives up must fail the test, and not end it.
        Descriptor.ignoreBrokenPipes()
        let pieces = (1...100).map { "\($0) " }
        Thread {
            for piece in pieces {
                // Each comes once the one before is gone: again and again the reader finds the pipe empty.
                var waiting: Int32 = 0
                while ioctl(input, UInt(FIONREAD), &waiting) == 0, waiting > 0 {}
                guard Descriptor(number: output).write(Array(piece.utf8)) == .written else { break }
            }
            close(output)
        }.start()
        let text = try TextSource.standardInput(Descriptor(number: input), command: "scurry post")
        #expect(text == pieces.joined())
    }

    @Test func `Words that a shell interprets are shown in quotes that keep them`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("post", "it's", "$5", "`now`"),
            64,
            "a text of several words needs quotes",
            hint: "scurry post 'it'\\''s $5 `now`'"
        )
    }
}
