internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// Runs a closure after the event loop has polled its sockets: writes a byte to a pipe, which the loop then reads like
/// a socket.
///
/// A loop polls only when no task is due. An overdue timer is such a task, and with more threads than cores each may be
/// overdue.
final class LoopBell: Sendable {
    let channel: any Channel
    private let listener: Listener

    private final class Listener: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer

        let body = NIOLockedValueBox<(@Sendable () -> Void)?>(nil)

        func channelRead(context _: ChannelHandlerContext, data _: NIOAny) {
            ring()
        }

        func ring() {
            let body = body.withLockedValue { body in
                defer { body = nil }
                return body
            }
            body?()
        }
    }

    init(of loop: any EventLoop) async throws(SystemError) {
        let ends = try OpenPipe()
        let listener = Listener()
        let isTaken = NIOLockedValueBox(false)
        let bootstrap = NIOPipeBootstrap(group: loop).channelInitializer { channel in
            isTaken.withLockedValue { $0 = true }
            return channel.pipeline.addHandler(listener)
        }
        self.listener = listener
        do {
            let channel = try await bootstrap.takingOwnershipOfDescriptors(
                input: ends.reading,
                output: ends.writing
            ).get()
            channel.closeFuture.whenComplete { _ in Self.ringLate(listener, channel) }
            self.channel = channel
        } catch {
            // A channel that was initialized closes the descriptors itself, contrary to NIO's documentation.
            if !isTaken.withLockedValue({ $0 }) { ends.close() }
            throw SystemError(call: "pipe", path: "", code: (error as? IOError)?.errnoCode ?? 0)
        }
    }

    /// Runs `body` after the next poll of the sockets; called on the loop, and not again before `body` has run.
    func ring(_ body: @escaping @Sendable () -> Void) {
        listener.body.withLockedValue { $0 = body }
        channel.writeAndFlush(ByteBuffer(integer: UInt8(0))).whenFailure { [channel, listener] _ in
            Self.ringLate(listener, channel)
        }
    }

    /// Runs the body without the pipe, after 1 ms: at once, the loop would never poll.
    private static func ringLate(_ listener: Listener, _ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .milliseconds(1)) { listener.ring() }
    }
}
