import Entries
import Foundation
import Sodium
import Sync
import Synchronization

/// Peers that complete the handshake, each time with a fresh key, and then send invalid or unknown messages.
final class Babble: Attack, Sendable {
    enum Manner: Sendable {
        /// Violations in turn: a message other than Hello, a Hello and a body that does not decode, and bytes that do
        /// not decrypt; each connection that is closed is replaced.
        case garbage
        /// Messages that only a later version could know, which are no violation.
        case chatter
    }

    private struct Count {
        var opened = 0
        var handshakes = 0
        var bytes = 0
    }

    private let port: UInt16
    private let peers: Int
    private let manner: Manner
    private let isOver = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)
    private let count = Mutex(Count())

    /// A message type that no version has.
    private static let unknownType: UInt8 = 200

    init(of peers: Int, calling port: UInt16, _ manner: Manner) {
        self.peers = peers
        self.port = port
        self.manner = manner
    }

    func begin() throws {
        for number in 0..<peers {
            Thread { [self] in
                var turn = number
                while !isOver.load(ordering: .relaxed) {
                    converse(turn)
                    turn += peers
                }
                ended.signal()
            }.start()
        }
    }

    func end() throws -> Figures {
        isOver.store(true, ordering: .relaxed)
        for _ in 0..<peers { ended.wait() }
        let count = count.withLock { $0 }
        var figures = Figures()
        figures.add("connections", Double(count.opened))
        figures.add("handshakes_finished", Double(count.handshakes))
        figures.add("megabytes_sent", Double(count.bytes) / 1e6)
        return figures
    }

    /// Runs one connection from its beginning to its end.
    private func converse(_ turn: Int) {
        guard let socket = try? LoopbackSocket(calling: port, from: turn, .blocking) else { return }
        count.withLock { $0.opened += 1 }
        guard var channel = shakeHands(over: socket) else { return }
        count.withLock { $0.handshakes += 1 }
        let hello = Utterance.hello(Utterance.OddHello(store: .random(), agent: "babbler")).frame
        switch manner {
        case .garbage:
            let body = Frame(type: UInt8(2 + turn % 20), body: Randomness.bytes(1_000))
            switch turn % 3 {
            case 0: say(channel.seal([body]), over: socket)
            case 1: say(channel.seal([hello, body]), over: socket)
            default: say([0x10, 0x00] + Randomness.bytes(4_096), over: socket)
            }
            while !isOver.load(ordering: .relaxed) {
                if case .over = socket.read() { return }
            }
        case .chatter:
            guard say(channel.seal([hello]), over: socket) else { return }
            let frame = Frame(type: Self.unknownType, body: Randomness.bytes(60_000))
            while !isOver.load(ordering: .relaxed) {
                guard say(channel.seal([frame]), over: socket) else { return }
                while true {
                    let reading = socket.read(Int32(MSG_DONTWAIT))
                    if case .nothing = reading { break }
                    if case .over = reading { return }
                }
            }
        }
    }

    @discardableResult
    private func say(_ bytes: [UInt8], over socket: LoopbackSocket) -> Bool {
        count.withLock { $0.bytes += bytes.count }
        return socket.write(bytes)
    }

    private func shakeHands(over socket: LoopbackSocket) -> SecureChannel? {
        var channel = SecureChannel.initiator(
            in: NetworkID(name: TemporaryHome.network),
            as: .random(),
            ephemeral: .random(),
            expecting: nil
        )
        guard socket.write(channel.start()) else { return nil }
        while !channel.isOpen, !isOver.load(ordering: .relaxed) {
            switch socket.read() {
            case .nothing: continue
            case .over: return nil
            case .bytes(let bytes):
                guard let events = try? channel.receive(bytes) else { return nil }
                for case .send(let answer) in events {
                    guard socket.write(answer) else { return nil }
                }
            }
        }
        return channel.isOpen ? channel : nil
    }
}
