import Foundation
import Synchronization

/// A relay between two nodes that delays each byte, as a long link does.
///
/// How much longer an exchange takes over it shows how many round trips it needs, whatever is sent at the same time.
/// The connection itself is not delayed: its own round trip is not counted.
final class DelayedLink: Sendable {
    /// Address of the relay, as `host:port`.
    let address: String
    private let listener: LoopbackListener
    private let sockets = Mutex<[LoopbackSocket]>([])

    init(to address: String, milliseconds: Double) throws {
        guard let port = address.split(separator: ":").last.flatMap({ UInt16($0) }) else {
            throw BenchError("no port in \(address)")
        }
        let listener = try LoopbackListener()
        self.listener = listener
        self.address = "127.0.0.1:\(listener.port)"
        Thread { [weak self] in
            while let caller = listener.accept() {
                guard let called = try? LoopbackSocket(calling: port, from: 0, .patient) else { continue }
                self?.sockets.withLock { $0 += [caller, called] }
                Lane(from: caller, to: called, seconds: milliseconds / 1_000).start()
                Lane(from: called, to: caller, seconds: milliseconds / 1_000).start()
            }
        }.start()
    }

    deinit {
        listener.end()
    }

    /// Ends the connections over it, and accepts no more.
    func cut() {
        listener.end()
        for socket in sockets.withLock({ $0 }) { socket.end() }
    }
}

/// One direction of a connection.
private final class Lane: Sendable {
    private struct Parcel {
        let due: Double
        /// Empty: the end of the connection.
        let bytes: [UInt8]
    }

    private let source: LoopbackSocket
    private let target: LoopbackSocket
    private let seconds: Double
    private let parcels = Mutex<[Parcel]>([])
    private let waiting = DispatchSemaphore(value: 0)

    init(from source: LoopbackSocket, to target: LoopbackSocket, seconds: Double) {
        self.source = source
        self.target = target
        self.seconds = seconds
    }

    func start() {
        Thread { [self] in
            while case .bytes(let bytes) = source.read() { keep(bytes) }
            keep([])
        }.start()
        Thread { [self] in
            while let parcel = next(), !parcel.bytes.isEmpty {
                while Stopwatch.now() < parcel.due { usleep(UInt32(max(1, (parcel.due - Stopwatch.now()) * 1e6))) }
                guard target.write(parcel.bytes) else { break }
            }
            source.end()
            target.end()
        }.start()
    }

    private func keep(_ bytes: [UInt8]) {
        parcels.withLock { $0.append(Parcel(due: Stopwatch.now() + seconds, bytes: bytes)) }
        waiting.signal()
    }

    private func next() -> Parcel? {
        waiting.wait()
        return parcels.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
