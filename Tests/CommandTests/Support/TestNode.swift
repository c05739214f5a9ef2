import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A running node on a home, on a port that the system picked.
final class TestNode {
    let home: TestHome
    let process: Spawned

    init(_ home: TestHome, _ options: String..., variables: [String: String] = [:]) throws {
        self.home = home
        process = try home.start(["run", "--listen", "127.0.0.1:0"] + options, variables)
        try process.wait(for: "listens on", in: .err)
        _ = try status()
    }

    deinit {
        _ = try? stop()
    }

    /// What `status` says once the node has answered it: it is asked briefly, and on a busy machine a node that has
    /// just begun may be late.
    func status() throws -> [String: Any] { try home.answeredStatus() }

    /// `NODEID@127.0.0.1:PORT`
    func address() throws -> String {
        let status = try status()
        return "\(try #require(status["node"] as? String))@\(try #require(status["listening"] as? String))"
    }

    /// Ends it as a service manager does, and reads all that it said.
    func stop() throws -> Int32 {
        process.signal(SIGTERM)
        return try process.finish().code
    }
}

extension TestHome {
    /// What `status` says once the home's node has answered it.
    func answeredStatus() throws -> [String: Any] {
        var row: [String: Any] = [:]
        try Eventually.holds("an answer of the node") {
            row = try #require(try json("status").first)
            return row["started"] is String
        }
        return row
    }
}

/// Waiting for a state.
enum Eventually {
    /// Asks again until it is so; nothing here waits a fixed time.
    static func holds(
        _ what: String,
        at location: SourceLocation = #_sourceLocation,
        _ check: () throws -> Bool
    ) throws {
        let deadline = Date().addingTimeInterval(Spawned.patience)
        while try !check() {
            try #require(Date() < deadline, "waited for \(what)", sourceLocation: location)
            usleep(20_000)
        }
    }

    /// Two homes hold the same.
    static func equal(_ homes: TestHome..., at location: SourceLocation = #_sourceLocation) throws {
        try holds("equal fingerprints", at: location) {
            Set(try homes.map { try $0.succeed("fingerprint") }).count == 1
        }
    }
}
