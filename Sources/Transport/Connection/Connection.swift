internal import NIOCore
internal import NIOPosix
internal import Sync

/// One byte stream over TCP or a local socket, until either side ends it.
struct Connection: Sendable {
    let channel: any Channel
    private let outbox = Outbox()
    private let inbox = Inbox()

    /// Takes over a new channel, on its event loop, before anything is read from it.
    static func take(_ channel: any Channel) -> EventLoopFuture<Connection> {
        channel.eventLoop.makeCompletedFuture {
            let connection = Connection(channel: channel)
            // A channel that closes before it is active never calls its handlers.
            channel.closeFuture.whenComplete { [inbox = connection.inbox] _ in inbox.finish() }
            try channel.pipeline.syncOperations.addHandler(InboxHandler(connection.inbox))
            return connection
        }
    }

    private init(channel: any Channel) {
        self.channel = channel
    }

    /// The remote address as the system tells it; nil if the connection was closed at once.
    var remoteHost: String? { channel.remoteAddress.flatMap(Self.host) }

    /// Carries bytes until the connection ends or the task is cancelled, then closes it.
    ///
    /// - Parameters:
    ///   - received: called with the bytes in order; little more is read until it returns.
    ///   - sent: called with the number of bytes that the kernel took.
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

    /// Queues bytes, which are written in order without a task: each thread hop costs a live post some 40 µs.
    func send(_ bytes: [UInt8]) -> Outbox.Push {
        let outcome = outbox.push(bytes)
        if outcome == .queued { write() }
        return outcome
    }

    /// Starts writing: at once when called on the event loop, since its other work would come first otherwise; but not
    /// before the channel is active, which is part of that work.
    private func write() {
        guard outbox.begin() else { return }
        let loop = channel.eventLoop
        if loop.inEventLoop, channel.isActive { writeNext() } else { loop.execute { writeNext() } }
    }

    /// Writes the next batch, on the event loop; the completion of one write starts the next.
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
                    // Through the loop: a write may complete at once, and a direct call would nest without bound.
                    channel.eventLoop.execute { writeNext() }
                // A write fails only if the connection is over, and the reading side ends on that too.
                case .failure: channel.close(promise: nil)
                }
            }
        }
    }

    /// Writes out the queue, a response or a Goodbye, for at most `lastWriteMilliseconds`.
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

    /// Closes when the outbox is empty, or after `Limits.closeLingerSeconds`.
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

    /// An address as text; an IPv4-mapped IPv6 address in its IPv4 form.
    static func host(_ address: SocketAddress) -> String? {
        guard let text = address.ipAddress else { return nil }
        let mapped = "::ffff:"
        return text.hasPrefix(mapped) && text.contains(".") ? String(text.dropFirst(mapped.count)) : text
    }
}
