import Entries
import Foundation
import Storage
import Transport

/// A `scurry run` of its own process, on a port that the system picked.
final class RunningNode {
    let home: TemporaryHome
    private let process = Process()
    private let control: ControlClient

    /// Where it listens, as `host:port`.
    private(set) var address = ""

    var id: Int32 { process.processIdentifier }

    /// Starts the node and waits until it can be called.
    init(_ home: TemporaryHome, program: String) throws {
        self.home = home
        control = ControlClient(home.layout)
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["run", "--listen", "127.0.0.1:0"]
        var environment = ProcessInfo.processInfo.environment
        environment["SCURRY_HOME"] = home.layout.data
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let log = home.layout.data + "/log"
        try Data().write(to: URL(fileURLWithPath: log))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        try process.run()
        try Stopwatch.wait(for: "the start of a node (\(log))", seconds: 30) {
            guard process.isRunning else {
                throw BenchError("the node ended: \((try? String(contentsOfFile: log, encoding: .utf8)) ?? "")")
            }
            guard case .status(let status)? = try? control.send(.status), let listening = status.listening else {
                return false
            }
            address = listening
            return true
        }
    }

    deinit {
        stop()
    }

    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// For threads that hand over posts.
    var client: ControlClient { control }

    /// The most memory is that of from now on (`proc_pid_clear_refs(5)`).
    func forgetPeak() throws {
        try "5".write(toFile: "/proc/\(id)/clear_refs", atomically: false, encoding: .utf8)
    }

    func usage() throws -> ProcessUsage { try ProcessUsage.of(id) }

    func status() throws -> StatusReport {
        guard case .status(let status) = try control.send(.status) else { throw BenchError("no status") }
        return status
    }

    func send(_ request: ControlRequest) throws -> ControlResponse { try control.send(request) }

    /// From now on this node dials the other one.
    func join(_ other: RunningNode) throws {
        try home.writePeers([other.address])
        guard case .done = try control.send(.peersChanged) else { throw BenchError("the node did not read its peers") }
    }

    /// Waits until this node and a peer of it both know that they hold the same.
    func waitUntilInStep() throws {
        try Stopwatch.wait(for: "two nodes in step", seconds: 60, every: 1000) {
            try status().peers.contains { $0.isInStep }
        }
    }

    /// Waits until this node's store holds exactly what the other one's does.
    func waitUntilEqual(to fingerprint: Fingerprint, seconds: Double) throws {
        let reader = try home.reader()
        var seen: Int?
        try Stopwatch.wait(for: "an equal fingerprint", seconds: seconds, every: 500) {
            // To read every log each time would take a core from the nodes that are measured.
            let version = try reader.dataVersion()
            guard version != seen else { return false }
            seen = version
            let report = try reader.fingerprint()
            // The newest entries make the fingerprint; history comes behind them.
            return report.fingerprint == fingerprint && report.gaps == 0
        }
    }
}
