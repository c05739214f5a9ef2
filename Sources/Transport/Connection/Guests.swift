internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Sync

/// Counts open incoming connections, in total and by host.
final class Guests: Sendable {
    private struct Count {
        var open: [ObjectIdentifier: any Channel] = [:]
        var byHost: [HostNetwork: Int] = [:]
    }

    // Not a `Mutex`: that one waits in the kernel (futex), which the thread sanitizer does not see.
    private let count = NIOLockedValueBox(Count())
    private let limit: Limit

    struct Limit: Sendable {
        let all: Int
        let perHost: Int

        static let standard = Limit(
            all: TransportLimits.incomingConnections,
            perHost: TransportLimits.incomingConnectionsPerAddress
        )
    }

    init(_ limit: Limit = .standard) {
        self.limit = limit
    }

    /// Counts a connection until it closes; returns false, uncounted, if a limit is reached.
    func enter(_ channel: any Channel) -> Bool {
        let host = HostNetwork(channel.remoteAddress.flatMap(Connection.host) ?? "")
        let isWelcome = count.withLockedValue { count in
            guard count.open.count < limit.all, count.byHost[host, default: 0] < limit.perHost else { return false }
            count.open[ObjectIdentifier(channel)] = channel
            count.byHost[host, default: 0] += 1
            return true
        }
        guard isWelcome else { return false }
        channel.closeFuture.whenComplete { _ in self.leave(ObjectIdentifier(channel), host) }
        return true
    }

    /// Closes all connections that are open.
    func closeAll() {
        for channel in count.withLockedValue({ Array($0.open.values) }) { channel.close(promise: nil) }
    }

    private func leave(_ channel: ObjectIdentifier, _ host: HostNetwork) {
        count.withLockedValue { count in
            count.open[channel] = nil
            let left = count.byHost[host, default: 1] - 1
            count.byHost[host] = left > 0 ? left : nil
        }
    }
}
