import Entries
import Foundation
import Sodium
import Synchronization

/// Live posts without the program: each is sent over a socket, hashed, signed, committed to disk, sealed, sent, opened,
/// verified and stored, by one thread for each side.
///
/// They are sent at a rate, as the program is measured: after a pause caches are cold, and a core and a disk have
/// rested, so that a post takes two or three times as long as one back to back.
struct PacedPosts {
    /// Median milliseconds from the command until its answer, which says that the post is on the writer's disk.
    let savedMilliseconds: Double
    /// Median milliseconds from the command until the reader's store has the post.
    let storedMilliseconds: Double

    /// Sends `count` posts of `bytes` bytes, `rate` a second; nil: each upon the answer to the one before.
    init(count: Int, rate: Int?, bytes: Int) throws {
        let command = try LoopbackSocket.pair()
        let link = try LoopbackSocket.pair()
        var generator = Generator(seed: 1)
        var seed = generator.bytes(32)
        guard let key = SigningKey(seed: SecretBytes(moving: &seed)) else { throw BenchError("a key has 32 bytes") }
        var shared = generator.bytes(32)
        let sides = Sides(bytes: bytes, signing: key, sealing: SecretBytes(moving: &shared))
        let reading = Side { try sides.read(from: link.1) }
        let writing = Side { try sides.write(commands: command.1, to: link.0) }
        let sent = Result { try Self.send(count, rate: rate, sides.command(&generator), over: command.0) }
        command.0.end()
        // A side that failed ended the others too and gives the reason: the reader before the writer, both before this
        // thread.
        let stored = try reading.wait()
        _ = try writing.wait()
        let (told, saved) = try sent.get()
        guard stored.count == count else { throw BenchError("a post was lost between two threads") }
        savedMilliseconds = Quantile.of(zip(saved, told).map { ($0 - $1) * 1_000 }, 0.5)
        storedMilliseconds = Quantile.of(zip(stored, told).map { ($0 - $1) * 1_000 }, 0.5)
    }

    /// Sends the commands; returns when each was sent and when its answer came.
    private static func send(_ count: Int, rate: Int?, _ command: [UInt8], over socket: LoopbackSocket) throws
        -> (told: [Double], saved: [Double])
    {
        var (told, saved): ([Double], [Double]) = ([], [])
        func answer() throws {
            guard socket.read(exactly: 1) != nil else { throw BenchError("no answer over loopback") }
        }
        // The first answer says that both stores are open.
        try answer()
        let begun = Stopwatch.now()
        for index in 0..<count {
            if let rate {
                while Stopwatch.now() < begun + Double(index) / Double(rate) { usleep(200) }
            }
            told.append(Stopwatch.now())
            guard socket.write(command) else { throw BenchError("no answer over loopback") }
            try answer()
            saved.append(Stopwatch.now())
        }
        return (told, saved)
    }
}

/// The work of the writer's and the reader's thread on a post; a side that ends, for any reason, ends the connections.
private struct Sides: Sendable {
    let bytes: Int
    let signing: SigningKey
    let sealing: SecretBytes

    /// The header comes first; a payload's fields and salt take some thirty bytes more than the text.
    private var messageCount: Int { bytes + 30 + EntryHeader.count }

    func command(_ generator: inout Generator) -> [UInt8] { generator.bytes(messageCount) }

    func write(commands: LoopbackSocket, to link: LoopbackSocket) throws -> [Double] {
        defer {
            commands.end()
            link.end()
        }
        let store = try RawInserts(TemporaryHome(of: .hub), writers: 1)
        try store.keep(.disk)
        guard link.read(exactly: 1) != nil, commands.write([1]) else { throw BenchError("loopback ended") }
        var counter: UInt64 = 0
        while let message = commands.read(exactly: messageCount) {
            let signature = signing.sign(Self.hash(message))
            try store.commit(payload: Array(message.dropFirst(EntryHeader.count)))
            counter += 1
            let sealed = ChaChaPoly.seal(signature.bytes + message, associated: [], key: sealing, counter: counter)
            guard link.write(sealed), commands.write([1]) else { throw BenchError("loopback ended") }
        }
        return []
    }

    /// - Returns: when each was stored.
    func read(from link: LoopbackSocket) throws -> [Double] {
        defer { link.end() }
        let store = try RawInserts(TemporaryHome(of: .hub), writers: 1)
        try store.keep(.process)
        guard link.write([1]) else { throw BenchError("loopback ended") }
        var stored: [Double] = []
        while let sealed = link.read(exactly: Signature.count + messageCount + ChaChaPoly.tagCount) {
            let counter = UInt64(stored.count + 1)
            guard let opened = ChaChaPoly.open(sealed, associated: [], key: sealing, counter: counter),
                let signature = Signature(opened.prefix(Signature.count))
            else { throw BenchError("loopback changed a message") }
            let message = Array(opened.dropFirst(Signature.count))
            guard Ed25519.isValid(signature, of: Self.hash(message), by: signing.publicKey) else {
                throw BenchError("a signature does not fit")
            }
            try store.commit(payload: Array(message.dropFirst(EntryHeader.count)))
            stored.append(Stopwatch.now())
        }
        return stored
    }

    private static func hash(_ message: [UInt8]) -> [UInt8] {
        let payload = Blake2b.hash(.payload, Array(message.dropFirst(EntryHeader.count)))
        return Blake2b.hash(.entry, Array(message.prefix(EntryHeader.count)) + payload.bytes).bytes
    }
}

/// A thread and its result.
private final class Side: Sendable {
    private let ended = DispatchSemaphore(value: 0)
    private let outcome = Mutex<Result<[Double], any Error>>(.success([]))

    init(_ body: @escaping @Sendable () throws -> [Double]) {
        Thread { [self] in
            let result = Result(catching: body)
            outcome.withLock { $0 = result }
            ended.signal()
        }.start()
    }

    func wait() throws -> [Double] {
        ended.wait()
        return try outcome.withLock { $0 }.get()
    }
}
