internal import NIOConcurrencyHelpers
internal import NIOCore

/// Write queue of one connection: any thread pushes, and the one whose `begin` returned true writes.
final class Outbox: Sendable {
    private struct State {
        var pending: [[UInt8]] = []
        /// Bytes of the first item that are written already.
        var gone = 0
        /// Bytes in `pending` and in the batch that is being written.
        var bytes = 0
        /// Bytes written since the last `takeWritten`.
        var written = 0
        var isBeingEmptied = false
        var ending = Ending.open
    }

    private enum Ending {
        case open
        /// Queued bytes still go out.
        case finished
        /// Nothing more goes out.
        case abandoned
    }

    enum Push: Hashable {
        case queued
        /// More than `TransportLimits.outboundBytes` would be queued: the reader is too slow.
        case full
        /// The connection is over.
        case closed
    }

    enum Step {
        case write(ByteBuffer)
        /// The queue is empty; the next push calls `begin` again.
        case rest
        /// The queue is empty and closed.
        case end
    }

    private let state = NIOLockedValueBox(State())
    /// Signals that bytes were written.
    let progress: AsyncStream<Void>
    private let progressed: AsyncStream<Void>.Continuation

    init() {
        (progress, progressed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func push(_ bytes: [UInt8]) -> Push {
        state.withLockedValue { state in
            guard case .open = state.ending else { return Push.closed }
            guard state.bytes + bytes.count <= TransportLimits.outboundBytes else { return .full }
            state.pending.append(bytes)
            state.bytes += bytes.count
            return .queued
        }
    }

    /// Closes the queue; what is in it still goes out.
    func finish() {
        state.withLockedValue { if case .open = $0.ending { $0.ending = .finished } }
    }

    /// Closes the queue and drops what is in it.
    func abandon() {
        state.withLockedValue {
            $0.ending = .abandoned
            $0.pending = []
            $0.gone = 0
        }
        progressed.finish()
    }

    /// Makes the caller the writer; false if there is one already. The writer calls `next` until that returns no batch.
    func begin() -> Bool {
        state.withLockedValue { state in
            guard !state.isBeingEmptied else { return false }
            state.isBeingEmptied = true
            return true
        }
    }

    /// The next batch, of at most `writeBytes`; a long item is split, so that each write shows whether the peer reads.
    func next() -> Step {
        state.withLockedValue { state in
            guard !state.pending.isEmpty else {
                state.isBeingEmptied = false
                if case .open = state.ending { return .rest }
                return .end
            }
            return .write(Self.batch(of: &state))
        }
    }

    /// Counts bytes that the kernel took.
    func wrote(_ count: Int) {
        state.withLockedValue {
            $0.bytes -= count
            $0.written += count
        }
        progressed.yield()
    }

    /// Bytes written since the last call.
    func takeWritten() -> Int {
        state.withLockedValue { state in
            defer { state.written = 0 }
            return state.written
        }
    }

    private static func batch(of state: inout State) -> ByteBuffer {
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
        var buffer = ByteBuffer()
        buffer.reserveCapacity(pieces.reduce(0) { $0 + $1.count })
        for piece in pieces { buffer.writeBytes(piece) }
        return buffer
    }
}
