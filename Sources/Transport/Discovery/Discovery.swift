internal import Logging
internal import NIOCore
internal import NIOPosix
internal import Sync

/// Finds nodes of this network on the local network, and announces this one (`protocol/discovery.md`).
actor Discovery {
    private let seal: BeaconSeal
    private let port: UInt16?
    private let log: Logger
    private let group: MultiThreadedEventLoopGroup
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation

    private var sockets: [LocalNetwork: BeaconSocket] = [:]
    private var schedule = BeaconSchedule(now: SystemClock.monotonicMilliseconds)
    private var nextLookAt: UInt64 = 0
    private var toldFailures: Set<LocalNetwork> = []
    private var alarm: Scheduled<Void>?

    private enum Input: Sendable {
        case heard(BeaconSocket.Datagram)
        case due
    }

    init(_ seal: BeaconSeal, port: UInt16?, log: Logger, group: MultiThreadedEventLoopGroup) {
        self.seal = seal
        self.port = port
        self.log = log
        self.group = group
        let most = TransportLimits.discoveryInputsCount
        (inputs, input) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(most))
    }

    /// Runs until its task is cancelled.
    func run(found: @Sendable (PeerAddress) async -> Void) async {
        await act()
        for await next in inputs {
            if case .heard(let datagram) = next, let address = hear(datagram) { await found(address) }
            await act()
        }
        alarm?.cancel()
        for socket in sockets.values { socket.close() }
    }

    /// The address of a beacon's sender; nil if it is no beacon, this node's own, or has no usable address.
    private func hear(_ datagram: BeaconSocket.Datagram) -> PeerAddress? {
        guard let beacon = seal.beacon(in: datagram.bytes) else { return nil }
        let isOwn = beacon.port == port && sockets.keys.contains { $0.address == datagram.host }
        guard !isOwn else { return nil }
        if beacon.kind == .call {
            let delay = UInt64.random(in: 0...BeaconSchedule.answerDelayMilliseconds)
            schedule.called(now: SystemClock.monotonicMilliseconds, delay: delay)
        }
        // A link-local address means nothing without its interface.
        guard LocalAddresses.reach(of: datagram.host, on: "") != nil else { return nil }
        return beacon.port.map { PeerAddress(host: datagram.host, port: $0) }
    }

    /// Performs what is due, and sets the timer for what is next.
    private func act() async {
        let now = SystemClock.monotonicMilliseconds
        if now >= nextLookAt {
            nextLookAt = now + TransportLimits.discoveryLookMilliseconds
            await look()
        }
        while let kind = schedule.due(now: SystemClock.monotonicMilliseconds) { await say(kind) }
        alarm?.cancel()
        let next = min(schedule.next, nextLookAt)
        let later = SystemClock.monotonicMilliseconds
        alarm = group.next().scheduleTask(in: .milliseconds(Int64(clamping: next > later ? next - later : 0))) {
            [input] in _ = input.yield(.due)
        }
    }

    /// Opens a socket for each new network, and closes those of networks that are gone.
    private func look() async {
        let networks = LocalNetwork.all()
        for (network, socket) in sockets where !networks.contains(network) {
            socket.close()
            sockets[network] = nil
        }
        toldFailures.formIntersection(networks)
        var hasArrived = false
        for network in networks where sockets[network] == nil {
            do {
                sockets[network] = try await BeaconSocket(network, group: group) { [input] in input.yield(.heard($0)) }
                hasArrived = true
            } catch {
                tell(error, network)
            }
        }
        // On a new network nobody knows this node: start with calls again.
        if hasArrived { schedule = BeaconSchedule(now: SystemClock.monotonicMilliseconds) }
    }

    private func say(_ kind: Beacon.Kind) async {
        let bytes = seal.datagram(Beacon(kind, port: port))
        for (network, socket) in sockets {
            do {
                try await socket.send(bytes)
                toldFailures.remove(network)
            } catch {
                tell(error, network)
                // A socket that cannot send may not receive either: reopened at the next enumeration.
                socket.close()
                sockets[network] = nil
            }
        }
    }

    /// Logs a failure once for each network: it would repeat every minute.
    private func tell(_ error: any Error, _ network: LocalNetwork) {
        guard toldFailures.insert(network).inserted else { return }
        log.warning("\(Self.words(error, on: network.device))")
    }

    static func words(_ error: any Error, on device: String) -> String {
        "cannot speak to the local network on \(device): \(NetworkCall.reason(error)); scurry doctor says more"
    }
}
