import Entries
import Foundation
import Storage
import Sync
import Transport

/// A `scurry run` process on a port that the system picked.
final class RunningNode {
    let home: TemporaryHome
    /// Time from the start of the process until a status request was answered.
    let startMilliseconds: Double
    private let process = Process()
    private let control: ControlClient

    /// The listening address, as `host:port`.
    private(set) var address = ""

    var id: Int32 { process.processIdentifier }

    /// Starts the node, with further options of `scurry run`, and waits until it listens.
    init(_ home: TemporaryHome, program: String, _ options: [String] = []) throws {
        self.home = home
        control = ControlClient(home.layout)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["run", "--listen", "127.0.0.1:0"] + options
        var environment = ProcessInfo.processInfo.environment
        environment["SCURRY_HOME"] = home.layout.data
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let log = home.layout.data + "/log"
        try Data().write(to: URL(fileURLWithPath: log))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        let begun = Stopwatch.now()
        try process.run()
        let (process, control) = (process, control)
        var listening = ""
        try Stopwatch.wait(for: "the start of a node (\(log))", seconds: 60, every: 1_000) {
            guard process.isRunning else {
                throw BenchError("the node ended: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
            }
            guard case .status(let status)? = try? control.send(.status), let place = status.listening else {
                return false
            }
            listening = place
            return true
        }
        startMilliseconds = (Stopwatch.now() - begun) * 1_000
        address = listening
    }

    deinit {
        stop()
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// The control client, for threads that send posts.
    var client: ControlClient { control }

    /// Resets the peak memory (`proc_pid_clear_refs(5)`).
    func forgetPeak() throws {
        try "5".write(toFile: "/proc/\(id)/clear_refs", atomically: false, encoding: .utf8)
    }

    func usage() throws -> ProcessUsage { try ProcessUsage.of(id) }

    func status() throws -> StatusReport {
        guard case .status(let status) = try control.send(.status) else { throw BenchError("no status") }
        return status
    }

    func send(_ request: ControlRequest) throws -> ControlResponse { try control.send(request) }

    /// A control connection that is kept open; the other programs' figures too are of clients that keep theirs.
    func connection() throws -> ControlConnection { try control.connection() }

    /// Makes this node dial the other one.
    func join(_ other: RunningNode) throws {
        try join(other.address)
    }

    func join(_ address: String) throws {
        try home.writePeers([address])
        try callPeers()
    }

    /// Makes this node dial the peers in its peers file.
    func callPeers() throws {
        guard case .done = try control.send(.peersChanged) else { throw BenchError("the node did not read its peers") }
    }

    /// Imports posts into this node, as from a bundle file.
    func take(_ chunks: [VerifiedChunk]) throws {
        for first in stride(from: 0, to: chunks.count, by: 1_000) {
            let message = ChunksFrame.encode(chunks[first..<min(first + 1_000, chunks.count)].map(\.packed))
            guard case .imported = try control.send(.importChunks(Data(message.body))) else {
                throw BenchError("the node did not take the posts")
            }
        }
    }

    /// Waits until no peer is connected.
    func waitUntilAlone() throws {
        try Stopwatch.wait(for: "the end of a connection", seconds: 30, every: 2_000) { try status().peers.isEmpty }
    }

    /// Waits until this node and a peer of it both know that they hold the same.
    func waitUntilInStep(seconds: Double = 60) throws {
        try Stopwatch.wait(for: "two nodes in step", seconds: seconds, every: 2_000) {
            try status().peers.contains { $0.isInStep }
        }
    }

    /// The present contents of another store, which this node's store is expected to reach.
    func expecting(what other: TemporaryHome) throws -> ExpectedStore { try ExpectedStore(other, in: home) }

    /// Waits until this node's store holds exactly what another one does now.
    func waitUntilEqual(to other: TemporaryHome, seconds: Double, look: () throws -> Void = {}) throws {
        try expecting(what: other).wait(seconds: seconds, look)
    }
}
