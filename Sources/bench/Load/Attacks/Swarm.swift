import Foundation
import Sodium
import Synchronization

/// Many connections in one thread: each sends its first bytes, and is replaced when the node closes it.
final class Swarm: Attack, Sendable {
    /// The first bytes of a connection.
    enum Opening: Sendable {
        /// Random bytes.
        case noise(bytes: Int)
        /// In turn nothing, half of a handshake's first message, and all of it.
        case unfinished
    }

    private struct Count {
        var opened = 0
        var closed = 0
        var bytes = 0
    }

    private let port: UInt16
    private let size: Int
    private let opening: Opening
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let count = Mutex(Count())

    init(of size: Int, calling port: UInt16, saying opening: Opening) {
        self.size = size
        self.port = port
        self.opening = opening
    }

    func begin() throws {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        Thread { [self] in
            hold()
            ended.signal()
        }.start()
    }

    func end() throws -> Figures {
        isOver.store(true, ordering: .relaxed)
        ended.wait()
        let count = count.withLock { $0 }
        var figures = Figures()
        figures.add("connections", Double(count.opened))
        figures.add("connections_closed_by_node", Double(count.closed))
        figures.add("connections_held", Double(count.opened - count.closed))
        figures.add("megabytes_sent", Double(count.bytes) / 1e6)
        return figures
    }

    private func hold() {
        var number = 0
        var sockets: [LoopbackSocket?] = Array(repeating: nil, count: size)
        var polls = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: size)
        while !isOver.load(ordering: .relaxed) {
            for place in sockets.indices where sockets[place] == nil {
                sockets[place] = try? LoopbackSocket(calling: port, from: number, .polled)
                number += 1
                polls[place] = pollfd(fd: sockets[place]?.descriptor ?? -1, events: Int16(POLLOUT), revents: 0)
            }
            guard poll(&polls, nfds_t(size), 100) > 0 else { continue }
            for place in sockets.indices where polls[place].revents != 0 {
                guard let socket = sockets[place] else { continue }
                if polls[place].events == Int16(POLLOUT), polls[place].revents & Int16(POLLERR) == 0 {
                    let words = words(place + number)
                    count.withLock {
                        $0.opened += 1
                        $0.bytes += words.count
                    }
                    _ = words.isEmpty || socket.write(words)
                    polls[place].events = Int16(POLLIN)
                } else if case .over = socket.read() {
                    if polls[place].events == Int16(POLLIN) { count.withLock { $0.closed += 1 } }
                    sockets[place] = nil
                }
            }
        }
    }

    private func words(_ turn: Int) -> [UInt8] {
        switch opening {
        case .noise(let bytes): return Randomness.bytes(bytes)
        case .unfinished:
            // Any 32 bytes are a valid first message, and cost the node its answer.
            let first = [0, 32] + Randomness.bytes(32)
            return [[], Array(first.prefix(17)), first][turn % 3]
        }
    }
}
