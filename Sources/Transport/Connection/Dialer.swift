internal import NIOCore
internal import NIOPosix
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Opens connections: resolves the name, then tries its IPv6 and IPv4 addresses until one answers (RFC 8305).
struct Dialer: Sendable {
    let group: any EventLoopGroup
    /// Where it goes on after each wait, if that is the caller's thread; nil: on the runtime's threads, and every one
    /// of its four changes of threads costs some 40 µs.
    var executor: (any TaskExecutor)?
    var names = NameLookup.shared

    enum Outcome: Sendable {
        case connected(Connection)
        case failed(DialFailure)
    }

    /// Dials an address; returns at once when the task is cancelled, and then closes a connection that completes later.
    func dial(_ address: PeerAddress, _ origin: PeerTarget.Origin = .listed) async -> Outcome {
        let (outcomes, result) = AsyncStream.makeStream(of: Outcome.self)
        // The system's connect cannot be cancelled, so it runs in a task of its own.
        Task(executorPreference: executor) {
            let outcome = await connect(address, origin)
            if case .terminated = result.yield(outcome), case .connected(let connection) = outcome {
                connection.abort()
            }
            result.finish()
        }
        for await outcome in outcomes { return outcome }
        return .failed(.other)
    }

    private func connect(_ address: PeerAddress, _ origin: PeerTarget.Origin) async -> Outcome {
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(TransportLimits.connectTimeoutSeconds))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(Acknowledgement.option, value: Acknowledgement.patience)
            .channelOption(.recvAllocator, value: Connection.receiveAllocator)
            .channelOption(.maxMessagesPerRead, value: UInt(Inbox.readsPerRound))
            .channelOption(.autoRead, value: false)
        do {
            // An address needs no lookup: NIO would queue it behind other names.
            if let place = try? SocketAddress(ipAddress: address.host, port: Int(address.port)) {
                // Loopback passes within one machine alone, and only in its usual forms (`NodeMachine.isLoopback`). At
                // another of this machine's addresses a second node may be, which a search finds there.
                if origin == .learned, !NodeMachine.isLoopback(address.host), NameLookup.isLoopback(place) {
                    return .failed(.other)
                }
                return .connected(try await bootstrap.connect(to: place) { Connection.take($0) })
            }
            let found: [SocketAddress]
            switch await names.addresses(of: address, origin) {
            case .success(let addresses): found = addresses
            case .failure(.notFound): return .failed(.nameNotFound)
            case .failure(.silent): return .failed(.timedOut)
            case .failure(.busy): return .failed(.busy)
            }
            let connection = try await bootstrap.resolver(KnownAddresses(addresses: found, loop: group.next()))
                .connect(host: address.host, port: Int(address.port)) { Connection.take($0) }
            return .connected(connection)
        } catch {
            return .failed(Self.failure(error))
        }
    }

    private static func failure(_ error: any Error) -> DialFailure {
        if let error = error as? NIOConnectionError {
            let failures = error.connectionErrors.map { failure($0.error) }
            // Of several failures the most informative is reported first: refused, by a host that answered.
            for telling in [DialFailure.refused, .timedOut, .unreachable] where failures.contains(telling) {
                return telling
            }
            return failures.isEmpty ? .nameNotFound : .other
        }
        if let error = error as? ChannelError, case .connectTimeout = error { return .timedOut }
        guard let error = error as? IOError else { return .other }
        switch error.errnoCode {
        case ECONNREFUSED: return .refused
        case ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT: return .unreachable
        case ETIMEDOUT: return .timedOut
        default: return .other
        }
    }
}
