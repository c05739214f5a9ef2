internal import NIOConcurrencyHelpers
internal import NIOCore

/// What waits to be written to one connection: filled by the node, emptied by the connection's own task.
final class Outbox: Sendable {
    private struct State {
        var pending: [[UInt8]] = []
        /// Bytes of the first item that are gone already.
        var gone = 0
        /// Bytes in `pending` and in the batch that is being written.
        var bytes = 0
        var ending = Ending.open
    }

    private enum Ending {
        case open
        /// What is queued still goes out.
        case finished
        /// Nothing more goes out.
        case abandoned
    }

    enum Push: Hashable {
        case queued
        /// More waits than `TransportLimits.outboundBytes`: the reader is too slow to keep.
        case full
        /// The connection is over.
        case closed
    }

    private let state = NIOLockedValueBox(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func push(_ bytes: [UInt8]) -> Push {
        let outcome = state.withLockedValue { state in
            guard case .open = state.ending else { return Push.closed }
            guard state.bytes + bytes.count <= TransportLimits.outboundBytes else { return .full }
            state.pending.append(bytes)
            state.bytes += bytes.count
            return .queued
        }
        if outcome == .queued { signal.yield() }
        return outcome
    }

    /// Lets what is queued go out, and then ends.
    func finish() {
        state.withLockedValue { if case .open = $0.ending { $0.ending = .finished } }
        signal.yield()
    }

    /// Drops what is queued, and ends.
    func abandon() {
        state.withLockedValue {
            $0.ending = .abandoned
            $0.pending = []
            $0.gone = 0
        }
        signal.yield()
    }

    /// Hands every batch to `write`, and returns when the box was finished or abandoned, or the task is cancelled.
    func drain(_ write: (ByteBuffer) async throws -> Void) async throws {
        for await _ in signals {
            while let batch = next() {
                try await write(batch)
                state.withLockedValue { $0.bytes -= batch.readableBytes }
            }
            if state.withLockedValue({ if case .open = $0.ending { false } else { true } }) { return }
        }
    }

    /// As much of what waits as goes into one write; nil if nothing waits.
    ///
    /// However long an item is: by each write it is seen whether the other side reads.
    func next() -> ByteBuffer? {
        let pieces = state.withLockedValue { state in
            var pieces: [ArraySlice<UInt8>] = []
            var room = TransportLimits.writeBytes
            var done = 0
            while room > 0, done < state.pending.count {
                let rest = state.pending[done].dropFirst(state.gone)
                let piece = rest.prefix(room)
                if !piece.isEmpty { pieces.append(piece) }
                room -= piece.count
                if piece.count == rest.count {
                    done += 1
                    state.gone = 0
                } else {
                    state.gone += piece.count
                }
            }
            state.pending.removeFirst(done)
            return pieces
        }
        guard !pieces.isEmpty else { return nil }
        var buffer = ByteBuffer()
        buffer.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { buffer.writeBytes(piece) }
        return buffer
    }
}
