import Entries
import Foundation
import Sodium
import Storage
import Synchronization
import Transport

/// Posts sent at fixed times from one node to another, whether or not earlier ones arrived: a stall shows in every post
/// that falls into it.
final class LivePosts: Sendable {
    private struct Flight {
        let post: EntryID
        let due: Double
    }

    private struct State {
        var flights: [Flight] = []
        var latencies: [Double] = []
        var saved: [Double] = []
        var failure: String?
        var hasSentAll = false
    }

    private let state = Mutex(State())
    private let ended = DispatchSemaphore(value: 0)
    /// Signals that a post is in flight, or that none will be any more: polling instead would keep a core from taking
    /// over threads that wait for another one (`CommitWatch`).
    private let sent = DispatchSemaphore(value: 0)

    /// How long after its due time a post may arrive.
    private static let patienceSeconds: Double = 60

    /// Begins at once: `count` posts, one every `interval` seconds, the first at `start` on the monotonic clock.
    init(from writer: RunningNode, to reader: RunningNode, count: Int, interval: Double, start: Double, seed: UInt64)
        throws
    {
        let client = writer.client
        let store = try reader.home.reader()
        let path = reader.home.layout.store
        Thread { [self] in
            send(count, every: interval, from: start, seed: seed, to: client)
            ended.signal()
        }.start()
        Thread { [self] in
            watch(store, at: path)
            ended.signal()
        }.start()
    }

    /// Waits until all posts have arrived: milliseconds from the due time of each to the reader's store, and to the
    /// writer's.
    func wait() throws -> (latencies: [Double], saved: [Double]) {
        ended.wait()
        ended.wait()
        let state = state.withLock { $0 }
        if let failure = state.failure { throw BenchError(failure) }
        return (state.latencies, state.saved)
    }

    private func send(_ count: Int, every interval: Double, from start: Double, seed: UInt64, to client: ControlClient)
    {
        var generator = Generator(seed: seed)
        do {
            let connection = try client.connection()
            for index in 0..<count {
                let due = start + Double(index) * interval
                while Stopwatch.now() < due { usleep(UInt32(max(50, min(2_000, (due - Stopwatch.now()) * 0.8e6)))) }
                let post = try Post(salt: Salt(using: &generator), text: "squirrel \(index)", channels: [])
                let payload = Data(Payload.post(post).encode())
                guard
                    case .appended(let entry) = try connection.send(
                        .append(kind: EntryKind.post.rawValue, payload: payload)
                    ),
                    let id = Base32.decode(entry.id).flatMap({ EntryID($0) })
                else { throw BenchError("the post was refused") }
                let saved = (Stopwatch.now() - due) * 1_000
                state.withLock {
                    $0.saved.append(saved)
                    $0.flights.append(Flight(post: id, due: due))
                }
                sent.signal()
            }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
        state.withLock { $0.hasSentAll = true }
        sent.signal()
    }

    private func watch(_ store: StoreReader, at path: String) {
        var landed = 0
        do {
            let commits = try CommitWatch(path)
            while true {
                let (next, isOver) = state.withLock { state in
                    (state.flights.dropFirst(landed).first, state.hasSentAll && landed == state.flights.count)
                }
                if isOver { return }
                guard let next else {
                    sent.wait()
                    continue
                }
                if try store.post(next.post, reader: nil) != nil {
                    landed += 1
                    state.withLock { $0.latencies.append((Stopwatch.now() - next.due) * 1_000) }
                } else if !commits.wait(until: next.due + Self.patienceSeconds) {
                    throw BenchError("a live post did not arrive")
                }
            }
        } catch {
            state.withLock { $0.failure = "\(error)" }
        }
    }
}
