import Logging
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@Suite struct LostPortTests {
    private let directory = TemporaryDirectory()

    @Test(.timeLimit(.minutes(5)))
    func `A node says that the system closed its port`() async throws {
        let (lines, entrance) = AsyncStream.makeStream(of: String.self)
        let node = try await open(entrance)
        let running = Task { await node.run() }
        let address = try #require(node.listening)
        // Somebody who came in before, and stays.
        let guest = try RawSocket(port: address.port)
        defer { withExtendedLifetime(guest) {} }
        let descriptor = try #require(Self.listeningSocket(at: address.port))
        // Whatever is asked of it now fails, as after an error that no pause mends.
        #expect(shutdown(descriptor, CInt(SHUT_RDWR)) == 0)
        let line = await lines.first { _ in true }
        #expect(line == "the system closed \(address.text): nobody can call this node before it is started again")
        node.stop()
        await running.value
    }

    @Test func `A node that stops does not complain of its port`() async throws {
        let (lines, entrance) = AsyncStream.makeStream(of: String.self)
        let node = try await open(entrance)
        let running = Task { await node.run() }
        await node.hasPeers(0)
        node.stop()
        await running.value
        entrance.finish()
        #expect(await lines.reduce(into: []) { $0.append($1) } == [])
    }

    private func open(_ entrance: AsyncStream<String>.Continuation) async throws -> Node {
        let log = Logger(label: "test", factory: { _ in ErrorLines(entrance: entrance) })
        return try await Node.open(try directory.home("a"), options: .local, log: log)
    }

    /// The socket of this process that listens there.
    private static func listeningSocket(at port: UInt16) -> CInt? {
        (0..<8_192).first { descriptor in
            var isListening: CInt = 0
            var count = socklen_t(MemoryLayout<CInt>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &count) == 0, isListening != 0
            else { return false }
            var address = sockaddr_in()
            count = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &count) }
            }
            return status == 0 && address.sin_family == sa_family_t(AF_INET)
                && UInt16(bigEndian: address.sin_port) == port
        }
    }
}

/// Hands on what is said at level error.
struct ErrorLines: LogHandler {
    let entrance: AsyncStream<String>.Continuation
    var logLevel = Logger.Level.error
    var metadata: Logger.Metadata = [:]
    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        entrance.yield(event.message.description)
    }
}
