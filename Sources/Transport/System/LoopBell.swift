internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// Lets an event loop look at its sockets before it goes on: what is rung here comes back by a pipe, as one of them.
///
/// A loop looks at them only once nothing is to be done at once. A timer is done at once, too, where the loop comes to it late;
/// on a machine with more threads than cores it may come to each late.
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
            // A channel that was begun closes them itself, whatever NIO's words on it say.
            if !isTaken.withLockedValue({ $0 }) { ends.close() }
            throw SystemError(call: "pipe", path: "", code: (error as? IOError)?.errnoCode ?? 0)
        }
    }

    /// Does it behind a look at the sockets; called on the loop, and not again before it is done.
    func ring(_ body: @escaping @Sendable () -> Void) {
        listener.body.withLockedValue { $0 = body }
        channel.writeAndFlush(ByteBuffer(integer: UInt8(0))).whenFailure { [channel, listener] _ in
            Self.ringLate(listener, channel)
        }
    }

    /// It goes on in any case. Not at once: the loop would never come to look.
    private static func ringLate(_ listener: Listener, _ channel: any Channel) {
        channel.eventLoop.scheduleTask(in: .milliseconds(1)) { listener.ring() }
    }
}
