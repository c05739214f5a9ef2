internal import NIOConcurrencyHelpers
internal import NIOCore

/// Queue of received buffers of one connection: filled on the event loop, emptied by the connection's task.
///
/// Reading pauses while `TransportLimits.inboxFullBuffers` wait, so that TCP holds back a fast sender. That is decided
/// after each round of reads, so at most `mostBuffers` wait, the one that is being handled included.
final class Inbox: Sendable {
    private struct State {
        var waiting = 0
        var isPaused = false
    }

    /// Reads of one round (NIO's `maxMessagesPerRead`).
    static let readsPerRound = 4
    /// A whole round behind an inbox that was not full yet.
    static let mostBuffers = TransportLimits.inboxFullBuffers - 1 + readsPerRound

    let buffers: AsyncStream<ByteBuffer>
    private let entrance: AsyncStream<ByteBuffer>.Continuation
    private let state = NIOLockedValueBox(State())

    init() {
        (buffers, entrance) = AsyncStream.makeStream()
    }

    func put(_ buffer: ByteBuffer) {
        state.withLockedValue { $0.waiting += 1 }
        entrance.yield(buffer)
    }

    func finish() {
        entrance.finish()
    }

    enum Appetite {
        case read
        case wait
    }

    /// Ends a round of reads; returns whether the next may begin at once.
    func roundEnded() -> Appetite {
        state.withLockedValue { state in
            state.isPaused = state.waiting >= TransportLimits.inboxFullBuffers
            return state.isPaused ? .wait : .read
        }
    }

    /// Counts a handled buffer; returns `.read` if a paused reading is to go on.
    func dealtWithOne() -> Appetite {
        state.withLockedValue { state in
            state.waiting -= 1
            guard state.isPaused, state.waiting <= TransportLimits.inboxResumedBuffers else { return .wait }
            state.isPaused = false
            return .read
        }
    }
}

/// Puts the bytes that a channel reads into an inbox; the channel has `autoRead` switched off.
final class InboxHandler: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox

    init(_ inbox: Inbox) {
        self.inbox = inbox
    }

    func channelActive(context: ChannelHandlerContext) {
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        inbox.put(Self.unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if case .read = inbox.roundEnded() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // All errors mean the same to the caller: the connection is over.
        context.close(promise: nil)
    }
}
