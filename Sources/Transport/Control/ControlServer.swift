internal import NIOCore
internal import NIOPosix
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Control socket of a running node: requests from commands of the same user, one line of JSON each.
struct ControlServer: Sendable {
    let path: String
    private let layout: HomeLayout
    /// The socket's file as it was made; nil: the system does not say.
    private let file: FileFacts?
    private let channel: any Channel
    private let guests: Guests
    private let connections: AsyncStream<Connection>

    /// Binds the home's control socket; the caller holds the home's lock, so a socket that exists is a leftover.
    init(
        _ layout: HomeLayout,
        user: UInt32 = FileSystem.user,
        group: any EventLoopGroup
    ) async throws(HomeError) {
        let path = try SocketPlace.make(layout)
        try HomeError.wrap { () throws(SystemError) in try FileSystem.remove(path) }
        let guests = Guests(
            Guests.Limit(all: TransportLimits.controlConnections, perHost: TransportLimits.controlConnections)
        )
        let (connections, entrance) = AsyncStream.makeStream(of: Connection.self)
        // Like the listener, retries `accept` after a pause when file descriptors run out.
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.autoRead, value: false)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ArrivalHandler(.ofCommands))
                }
            }
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                PeerCredentials.user(of: channel).flatMap { peer in
                    guard peer == user, guests.enter(channel) else {
                        return channel.eventLoop.makeFailedFuture(ChannelError.eof)
                    }
                    return Connection.take(channel).map { _ = entrance.yield($0) }
                }
            }
        do {
            channel = try await bootstrap.bind(unixDomainSocketPath: path).get()
        } catch {
            throw .system(SystemError(call: "bind", path: path, code: Self.code(of: error)))
        }
        channel.closeFuture.whenComplete { _ in entrance.finish() }
        do throws(SystemError) {
            try FileSystem.setPermissions(0o600, of: path)
        } catch {
            channel.close(promise: nil)
            throw .system(error)
        }
        self.path = path
        self.layout = layout
        file = FileSystem.facts(ofItself: path)
        self.guests = guests
        self.connections = connections
    }

    /// The `errno` of a failed `bind`, which NIO does not call for a path that is too long.
    private static func code(of error: any Error) -> CInt {
        switch error {
        case let error as IOError: error.errnoCode
        case SocketAddressError.unixDomainSocketPathTooLong: ENAMETOOLONG
        default: EIO
        }
    }

    /// Serves commands until cancelled.
    func run(_ answer: @escaping @Sendable (ControlRequest) async -> ControlResponse) async {
        await withDiscardingTaskGroup { group in
            for await connection in connections {
                group.addTask { await ControlConversation(connection, answer).run() }
            }
            close()
        }
        // After the connections' last writes: closes those that were accepted and never served.
        guests.closeAll()
    }

    /// Whether commands do not find the socket any more: its file was removed, or replaced by one at which nobody
    /// answers. Not while nobody can say, as where a file system is out of reach.
    var isLost: Bool {
        guard let recorded = try? SocketPlace.recorded(layout) else { return false }
        guard recorded == path else { return true }
        guard let now = FileSystem.facts(ofItself: path) else { return (try? FileSystem.isAbsent(path)) ?? false }
        // Where a file keeps no inode it is this socket that answers.
        return file?.isSameFile(as: now) != true && ControlClient(layout).isCut
    }

    /// Stops listening.
    func close() {
        channel.close(promise: nil)
    }

    /// Stops listening, and returns once that is done: NIO removes what lies at the socket's path then, whatever it is.
    func closed() async {
        close()
        try? await channel.closeFuture.get()
    }

    /// Removes the socket's file, so that the next command sees at once that no node runs.
    func remove() {
        try? FileSystem.remove(path)
    }
}

/// One command's connection: requests in, responses out, in order.
private actor ControlConversation {
    private let connection: Connection
    private let answer: @Sendable (ControlRequest) async -> ControlResponse
    private var line: [UInt8] = []
    /// Start of the present silence, monotonic milliseconds; nil while a request is executed.
    private var silentSince: UInt64?
    /// Bytes of responses that the command has not taken.
    private var waiting = 0
    /// The connection is being closed, and no further request is executed: nobody would see the response.
    private var isOver = false

    init(_ connection: Connection, _ answer: @escaping @Sendable (ControlRequest) async -> ControlResponse) {
        self.connection = connection
        self.answer = answer
    }

    func run() async {
        silentSince = SystemClock.monotonicMilliseconds
        let guardian = Task { await endSilence() }
        await connection.run(received: { await self.received($0) }, sent: { await self.taken($0) })
        guardian.cancel()
    }

    private func received(_ bytes: [UInt8]) async {
        var rest = bytes[...]
        while !isOver, let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            line.append(contentsOf: rest[..<end])
            rest = rest[(end + 1)...]
            silentSince = nil
            await takeLine()
            silentSince = SystemClock.monotonicMilliseconds
        }
        if isOver { return }
        line.append(contentsOf: rest)
        if line.count > TransportLimits.controlRequestBytes { refuse("the request is too long") }
    }

    private func takeLine() async {
        defer { line = [] }
        guard line.count <= TransportLimits.controlRequestBytes else { return refuse("the request is too long") }
        // A command reads one response before it needs the next: whoever lets so much wait reads nothing.
        guard waiting <= TransportLimits.controlResponseBytes else { return abort() }
        guard let request = await request(in: line) else {
            return refuse("no request that this node understands")
        }
        send(await answer(request))
    }

    /// Queues a response; a command that missed one would take the next for it.
    private func send(_ response: ControlResponse) {
        let bytes = ControlLine.encode(response)
        guard case .queued = connection.send(bytes) else { return abort() }
        waiting += bytes.count
    }

    private func taken(_ count: Int) { waiting -= count }

    /// Decodes a line; a long one off this thread, which serves everybody.
    private func request(in line: [UInt8]) async -> ControlRequest? {
        guard line.count > TransportLimits.turnBytes else {
            return ControlRequest(plain: line) ?? ControlLine.decode(line)
        }
        return await Task(executorPreference: globalConcurrentExecutor) { ControlLine.decode(line) }.value
    }

    private func refuse(_ reason: String) {
        line = []
        isOver = true
        send(.failed(NodeFailure(reason)))
        connection.close()
    }

    private func abort() {
        isOver = true
        connection.abort()
    }

    /// Closes the connection after `controlRequestMilliseconds` without a request. Polls: a timer for each request
    /// would cost as much as the request.
    private func endSilence() async {
        let patience = TransportLimits.controlRequestMilliseconds
        var pause = patience
        while (try? await Task.sleep(for: .milliseconds(pause))) != nil {
            let silence = silentSince.map { SystemClock.monotonicMilliseconds - $0 } ?? 0
            guard silence < patience else { return abort() }
            pause = patience - silence
        }
    }
}

/// Identity of a local socket's peer.
enum PeerCredentials {
    /// The peer process's user (`SO_PEERCRED`, or `LOCAL_PEERCRED`); fails where the system does not tell.
    static func user(of channel: any Channel) -> EventLoopFuture<UInt32> {
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        #if canImport(Glibc)
            let answer: EventLoopFuture<KernelCredentials> = provider.unsafeGetSocketOption(
                level: .init(rawValue: SOL_SOCKET),
                name: .init(rawValue: SO_PEERCRED)
            )
            return answer.map { $0.user }
        #else
            let answer: EventLoopFuture<xucred> = provider.unsafeGetSocketOption(
                level: .init(rawValue: 0),
                name: .init(rawValue: LOCAL_PEERCRED)
            )
            return answer.map { $0.cr_uid }
        #endif
    }
}
