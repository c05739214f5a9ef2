internal import NIOCore
internal import NIOPosix
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A listening socket with its limits on incoming connections.
struct Listener: Sendable {
    let address: BoundAddress
    private let channel: any Channel
    private let guests: Guests
    private let connections: AsyncStream<Connection>

    /// Binds; without a host to every address, IPv6 and IPv4 together, or IPv4 alone on a machine without IPv6.
    init(
        _ wish: ListenAddress,
        limit: Guests.Limit = .standard,
        rate: ArrivalRate.Bound = .standard,
        share: ArrivalRate.Bound = .share,
        loopback: ArrivalHandler.Loopback = .excepted,
        group: any EventLoopGroup
    ) async throws(ListenError) {
        let guests = Guests(limit)
        let (connections, entrance) = AsyncStream.makeStream(of: Connection.self)
        let bootstrap = Self.bootstrap(group, { ArrivalHandler(rate, share: share, loopback: loopback) }) { channel in
            // Fails for a connection above the limits, which is then closed before a byte of it is read.
            guard guests.enter(channel) else { return channel.eventLoop.makeFailedFuture(ChannelError.eof) }
            return Connection.take(channel).map { _ = entrance.yield($0) }
        }
        let hosts = wish.host.map { [$0] } ?? ["::", "0.0.0.0"]
        var failure = ListenError.addressNotHere(wish)
        for host in hosts {
            do {
                let channel = try await bootstrap.bind(host: host, port: Int(wish.port)).get()
                guard let bound = channel.localAddress, let port = bound.port else { continue }
                channel.closeFuture.whenComplete { _ in entrance.finish() }
                address = BoundAddress(host: Connection.host(bound) ?? host, port: UInt16(clamping: port))
                self.channel = channel
                self.guests = guests
                self.connections = connections
                return
            } catch {
                failure = Self.failure(error, wish)
                if case .portBusy = failure { break }
            }
        }
        throw failure
    }

    /// Accepts connections until cancelled; then stops listening and closes the accepted ones.
    ///
    /// `serve` runs one connection to its end; `ended` is called when no further connection is accepted, while accepted
    /// ones are still served.
    func run(
        serve: @escaping @Sendable (Connection) async -> Void,
        ended: @escaping @Sendable () async -> Void = {}
    ) async {
        await withDiscardingTaskGroup { group in
            for await connection in connections {
                group.addTask { await serve(connection) }
            }
            close()
            await ended()
        }
        // After the connections' last writes: closes those that were accepted and never served.
        guests.closeAll()
    }

    /// Stops listening, returns when the port is closed, and closes connections that came meanwhile.
    func end() async {
        try? await channel.close().get()
        guests.closeAll()
    }

    /// Stops listening; accepted connections stay open.
    func close() {
        channel.close(promise: nil)
    }

    private static func bootstrap(
        _ group: any EventLoopGroup,
        _ arrivals: @escaping @Sendable () -> ArrivalHandler,
        _ accept: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(arrivals())
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(Acknowledgement.option, value: Acknowledgement.patience)
            .childChannelOption(.recvAllocator, value: Connection.receiveAllocator)
            .childChannelOption(.maxMessagesPerRead, value: UInt(Inbox.readsPerRound))
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer(accept)
    }

    private static func failure(_ error: any Error, _ wish: ListenAddress) -> ListenError {
        guard let error = error as? IOError else {
            let isNoAddress = error is SocketAddressError || error is SocketAddressError.UnknownHost
            return isNoAddress ? .addressNotHere(wish) : .other(wish, reason: "\(error)")
        }
        switch error.errnoCode {
        case EADDRINUSE: return .portBusy(wish)
        case EADDRNOTAVAIL, EAFNOSUPPORT: return .addressNotHere(wish)
        case EACCES, EPERM: return .notPermitted(wish)
        default: return .other(wish, reason: SystemError(call: "bind", path: "", code: error.errnoCode).description)
        }
    }
}
