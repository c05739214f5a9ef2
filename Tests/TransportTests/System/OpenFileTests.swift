import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Files and pipes, read and locked.
struct OpenFileTests {
    private let directory = TemporaryDirectory()

    @Test func `What comes slowly through a pipe that does not wait is read to its end`() async throws {
        let pipe = try OpenPipe()
        #expect(fcntl(pipe.reading, F_SETFL, O_NONBLOCK) == 0)
        // A reader that gives up must fail the test, and not end it.
        signal(SIGPIPE, SIG_IGN)
        let pieces = (1...100).map { "\($0) " }
        async let rest: Void = blocking {
            for piece in pieces {
                // Each comes once the one before is gone: again and again the reader finds the pipe empty.
                var waiting: CInt = 0
                while ioctl(pipe.reading, UInt(FIONREAD), &waiting) == 0, waiting > 0 {}
                guard write(pipe.writing, piece, piece.utf8.count) == piece.utf8.count else { break }
            }
            close(pipe.writing)
        }
        let text = try await blocking {
            let file = OpenFile(adopting: pipe.reading, path: "pipe")
            var bytes = [UInt8](repeating: 0, count: 1_024)
            let count = try bytes.withUnsafeMutableBytes { try file.read(into: $0) }
            return String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text == pieces.joined())
        try await rest
    }

    @Test func `A lock is had at once or not at all without patience, and shared by those that share it`() throws {
        let path = directory.path + "/lock"
        let first = try OpenFile(path, for: .lock)
        let second = try OpenFile(path, for: .lock)
        var isTaken = try first.lock(patience: 0)
        #expect(isTaken)
        isTaken = try second.lock(patience: 0)
        #expect(!isTaken)
        isTaken = try second.lockShared(patience: 0)
        #expect(!isTaken)
        isTaken = try first.lockShared(patience: 0)
        #expect(isTaken)
        isTaken = try second.lockShared(patience: 0)
        #expect(isTaken)
    }

    @Test func `A lock that is let go within the time is taken`() async throws {
        let path = directory.path + "/lock"
        let held = try HeldLock(path)
        async let isTaken = blocking { try OpenFile(path, for: .lock).lock(patience: patience) }
        held.release()
        #expect(try await isTaken)
    }

    /// A lock on a descriptor that is closed when the test says so.
    private final class HeldLock: Sendable {
        private let descriptor: CInt

        init(_ path: String) throws {
            descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        }

        func release() { close(descriptor) }
    }
}
