import Foundation
import Testing

@testable import Transport

/// Commands beside a `scurry sync`, whose node ends with it.
struct RoundBesideTests {
    @Test(.timeLimit(.minutes(5)))
    func `No command takes the round of another for a node`() async throws {
        let (home, other) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        // Connects, because the kernel does, and nobody says hello.
        let mute = try await Node.open(
            try Home(opening: HomeLayout(directory: other.path)),
            options: NodeOptions(listen: ListenAddress(host: "127.0.0.1", port: 0), control: .off),
            log: .silent
        )
        try home.succeed("join", "--trust", try #require(mute.listening).text)
        let round = try await Node.open(
            try Home(opening: HomeLayout(directory: home.path)),
            options: NodeOptions(listen: nil),
            log: .silent,
            for: .round
        )
        let running = Task { await round.run() }
        let process = ProcessInfo.processInfo.processIdentifier
        expectFailure(
            try home.run("run", "--listen", "127.0.0.1:0"),
            75,
            "another command (process \(process)) works on this home",
            hint: "scurry status, and try again in a moment"
        )
        let second = try home.start(["sync", "--timeout", "600"])
        let deadline = Date().addingTimeInterval(Spawned.patience)
        while await !round.isWatched, Date() < deadline { await Task.yield() }
        round.stop()
        await running.value
        expectFailure(
            try second.finish(),
            75,
            "another command (process \(process)) was calling the peers, and has ended meanwhile",
            hint: "scurry sync"
        )
        withExtendedLifetime(mute) {}
    }
}

extension Node {
    /// Whether somebody waits for a status.
    fileprivate var isWatched: Bool { !watchers.isEmpty }
}
