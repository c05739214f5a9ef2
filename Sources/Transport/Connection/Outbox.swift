internal import NIOConcurrencyHelpers
internal import NIOCore

/// What waits to be written to one connection: filled by anybody, emptied by whoever `begin` said should.
final class Outbox: Sendable {
    private struct State {
        var pending: [[UInt8]] = []
        /// Bytes of the first item that are gone already.
        var gone = 0
        /// Bytes in `pending` and in the batch that is being written.
        var bytes = 0
        /// Bytes that were written since `takeWritten` was called last.
        var written = 0
        var isBeingEmptied = false
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

    enum Step {
        case write(ByteBuffer)
        /// Nothing waits; whoever pushes next begins anew.
        case rest
        /// Nothing waits, and nothing will.
        case end
    }

    private let state = NIOLockedValueBox(State())
    /// Something was written.
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

    /// Lets what is queued go out, and then ends.
    func finish() {
        state.withLockedValue { if case .open = $0.ending { $0.ending = .finished } }
    }

    /// Drops what is queued, and ends.
    func abandon() {
        state.withLockedValue {
            $0.ending = .abandoned
            $0.pending = []
            $0.gone = 0
        }
        progressed.finish()
    }

    /// Whether the caller is to take steps now, until one says that there is nothing more.
    func begin() -> Bool {
        state.withLockedValue { state in
            guard !state.isBeingEmptied else { return false }
            state.isBeingEmptied = true
            return true
        }
    }

    /// As much of what waits as goes into one write.
    ///
    /// However long an item is: by each write it is seen whether the other side reads.
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

    /// A batch is in the network's hands.
    func wrote(_ count: Int) {
        state.withLockedValue {
            $0.bytes -= count
            $0.written += count
        }
        progressed.yield()
    }

    /// Bytes that were written since this was asked last.
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
