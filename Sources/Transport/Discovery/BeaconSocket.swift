internal import NIOCore
internal import NIOPosix

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Multicast socket of one local network; several programs of a machine may have one at once.
struct BeaconSocket: Sendable {
    /// A received datagram and its sender's address.
    struct Datagram: Sendable {
        let host: String
        let bytes: [UInt8]
    }

    private let channel: any Channel
    private let destination: SocketAddress

    /// - Throws: the system's error, with the socket closed.
    init(
        _ network: LocalNetwork,
        group: MultiThreadedEventLoopGroup,
        heard: @escaping @Sendable (Datagram) -> Void
    ) async throws {
        guard let device = network.networkDevice else { throw ChannelError.inappropriateOperationForState }
        let destination = try network.group(device)
        // Bound to the group's address, so that no other datagram to the port is received.
        let channel = try await DatagramBootstrap(group: group)
            .channelOption(.socketOption(.so_reuseaddr), value: 1)
            // One byte more than a beacon has, so that a longer datagram is noticed.
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: BeaconSeal.datagramBytes + 1)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Hearing(heard))
                }
            }
            .bind(to: destination).get()
        self.channel = channel
        self.destination = destination
        do {
            guard let multicast = channel as? any MulticastChannel, let options = channel as? any SocketOptionProvider
            else { throw ChannelError.operationUnsupported }
            try await multicast.joinGroup(destination, device: device).get()
            switch network.family {
            case .ipv4:
                // An `in_addr`, in network byte order.
                let address = inet_addr(network.address)
                try await options.unsafeSetSocketOption(level: .ip, name: .ip_multicast_if, value: address).get()
            case .ipv6: try await options.setIPv6MulticastIF(CUnsignedInt(device.interfaceIndex)).get()
            }
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }

    /// - Throws: the system's error, as for a firewall that forbids it or a network that is down.
    func send(_ bytes: [UInt8]) async throws {
        let envelope = AddressedEnvelope(remoteAddress: destination, data: ByteBuffer(bytes: bytes))
        try await channel.writeAndFlush(envelope).get()
    }

    func close() {
        channel.close(promise: nil)
    }

    private final class Hearing: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        private let heard: @Sendable (Datagram) -> Void

        init(_ heard: @escaping @Sendable (Datagram) -> Void) {
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            guard let host = Connection.host(envelope.remoteAddress) else { return }
            heard(Datagram(host: host, bytes: Array(envelope.data.readableBytesView)))
        }

        // An ICMP error, as of a closed port, is no reason to stop receiving.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
