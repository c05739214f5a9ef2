internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// Event loops with a thread each, as many as were ever in use at once. None is ended: an actor may be called after its
/// work is over.
final class LoopPool: Sendable {
    static let shared = LoopPool()

    struct Place {
        let loop: any EventLoop
        let rounds: LoopRounds
        let bell: LoopBell
    }

    private let free = NIOLockedValueBox<[Place]>([])
    // A loop is unusable once its group is released.
    private let groups = NIOLockedValueBox<[MultiThreadedEventLoopGroup]>([])

    func take() async throws(SystemError) -> Place {
        if let place = free.withLockedValue({ $0.popLast() }) { return place }
        let rounds = LoopRounds()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: rounds)
        do throws(SystemError) {
            let bell = try await LoopBell(of: group.next())
            groups.withLockedValue { $0.append(group) }
            return Place(loop: group.next(), rounds: rounds, bell: bell)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    func giveBack(_ place: Place) {
        free.withLockedValue { $0.append(place) }
    }
}

/// Number of ticks of a loop: how often it has polled its sockets.
final class LoopRounds: NIOEventLoopMetricsDelegate {
    private let rounds = Atomic<UInt64>(0)

    var count: UInt64 { rounds.load(ordering: .relaxed) }

    func processedTick(info _: NIOEventLoopTickInfo) {
        rounds.add(1, ordering: .relaxed)
    }
}
