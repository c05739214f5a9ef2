internal import NIOCore
internal import NIOPosix
internal import Sync

/// One stream of bytes to somebody else, over TCP or a local socket, until either side ends it.
struct Connection: Sendable {
    let channel: any Channel
    private let outbox = Outbox()
    private let inbox = Inbox()

    /// Takes a fresh channel over; called on its event loop, before anything can be read from it.
    static func take(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            let connection = Connection(channel: channel)
            // Whatever became of it by then: one that is closed before it is active ends without a word to its handlers.
            channel.closeFuture.whenComplete { [inbox = connection.inbox] _ in inbox.finish() }
            try channel.pipeline.syncOperations.addHandler(InboxHandler(connection.inbox))
            return connection
        }
    }

    private init(channel: any Channel) {
        self.channel = channel
    }

    /// The other side's address as the system tells it; nil if it was gone at once.
    var remoteHost: String? { channel.remoteAddress.flatMap(Self.host) }

    /// Carries bytes until the connection is over or the task is cancelled, and closes it.
    ///
    /// - Parameters:
    ///   - received: called with bytes in order; while it is busy, little more is read.
    ///   - sent: called as bytes have left for the kernel.
    func run(
        received: @escaping @Sendable ([UInt8]) async -> Void,
        sent: @escaping @Sendable (Int) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in outbox.progress {
                    let count = outbox.takeWritten()
                    if count > 0 { await sent(count) }
                }
            }
            for await buffer in inbox.buffers {
                await received(Array(buffer.readableBytesView))
                if case .read = inbox.dealtWithOne() { channel.read() }
            }
            if Task.isCancelled { await flush() }
            abort()
            group.cancelAll()
        }
    }

    /// Queues bytes, which leave in their order and without the help of any task: each hand-over to another thread costs a
    /// live post some 40 µs.
    func send(_ bytes: [UInt8]) -> Outbox.Push {
        let outcome = outbox.push(bytes)
        if outcome == .queued { write() }
        return outcome
    }

    /// At once where this is asked for on the event loop: whatever else its thread has to do would come first. Not before the
    /// channel is active: that is what the loop has to do then.
    private func write() {
        guard outbox.begin() else { return }
        let loop = channel.eventLoop
        if loop.inEventLoop, channel.isActive { writeNext() } else { loop.execute { writeNext() } }
    }

    /// On the event loop: one write after the other, each when the one before has left.
    private func writeNext() {
        switch outbox.next() {
        case .rest: break
        case .end: channel.close(promise: nil)
        case .write(let batch):
            let count = batch.readableBytes
            channel.writeAndFlush(batch).whenComplete { outcome in
                switch outcome {
                case .success:
                    outbox.wrote(count)
                    // Not from here: a write may end at once, and however many there are, they are not to stand on each other.
                    channel.eventLoop.execute { writeNext() }
                // A write fails only because the connection is over, and whoever reads it ends on that too.
                case .failure: channel.close(promise: nil)
                }
            }
        }
    }

    /// Gives what is queued a last moment: an answer, or a goodbye, is worth so much and no more.
    private func flush() async {
        let channel = channel
        let deadline = channel.eventLoop.scheduleTask(in: .milliseconds(TransportLimits.lastWriteMilliseconds)) {
            channel.close(promise: nil)
        }
        outbox.finish()
        write()
        try? await channel.closeFuture.get()
        deadline.cancel()
    }

    /// Closes when the outbox is empty, and in any case after `Limits.closeLingerSeconds`.
    func close() {
        outbox.finish()
        write()
        let channel = channel
        channel.eventLoop.scheduleTask(in: .seconds(Int64(Limits.closeLingerSeconds))) {
            channel.close(promise: nil)
        }
    }

    /// Closes at once; what is queued is lost.
    func abort() {
        outbox.abandon()
        channel.close(promise: nil)
    }

    /// Large reads: a thousand entries arrive in a few calls.
    static let receiveAllocator = AdaptiveRecvByteBufferAllocator(
        minimum: 1_024,
        initial: 16_384,
        maximum: TransportLimits.readBytes
    )

    /// An address as text; one of IPv4 that came through an IPv6 socket in the form that people know.
    static func host(_ address: SocketAddress) -> String? {
        guard let text = address.ipAddress else { return nil }
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}
