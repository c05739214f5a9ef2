internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A thread with an event loop, for an actor that lives there and for the tasks that serve it.
///
/// A task has to prefer it too: without that, whatever it waited for wakes it on a thread of the runtime first, which then wakes
/// this one (SE-0417).
final class LoopExecutor: SerialExecutor, TaskExecutor {
    private struct State {
        var jobs = CircularBuffer<UnownedJob>()
        /// The loop will come to them.
        var isDue = false
        /// In which of the loop's rounds jobs ran last, and until when they may in that.
        var round: UInt64?
        var end = NIODeadline.uptimeNanoseconds(0)
        /// How long they rest next in that round.
        var pause = LoopExecutor.pause
    }

    /// Jobs run for so long in one round of the loop, a guess: half of what a message of a peer's may take.
    private static let slice = TimeAmount.microseconds(500)
    /// Then the sockets have their turn: a loop looks at them, and begins another round, only once nothing is to be done at once,
    /// be it a timer. Longer than what else the loop has to do takes; if it was not, once more, and twice as long: where a timer
    /// alone takes so long, there would be no end.
    private static let pause = TimeAmount.microseconds(50)

    let loop: any EventLoop
    private let rounds: LoopRounds
    private let state = NIOLockedValueBox(State())

    /// With a loop of its own: two nodes on one would keep each other from their sockets.
    init() {
        (loop, rounds) = LoopPool.shared.take()
    }

    deinit {
        LoopPool.shared.giveBack((loop, rounds))
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isNew = state.withLockedValue { state in
            state.jobs.append(job)
            defer { state.isDue = true }
            return !state.isDue
        }
        if isNew { loop.execute { self.run() } }
    }

    /// On the loop: what there is, in order.
    private func run() {
        let end = sliceEnd()
        while NIODeadline.now() < end {
            guard let job = next() else { return }
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }
        loop.scheduleTask(in: nextPause()) { self.run() }
    }

    private func nextPause() -> TimeAmount {
        state.withLockedValue { state in
            defer { state.pause = 2 * state.pause }
            return state.pause
        }
    }

    private func sliceEnd() -> NIODeadline {
        let round = rounds.count
        return state.withLockedValue { state in
            if state.round != round {
                (state.round, state.end) = (round, .now() + Self.slice)
                // It was doubled behind the last that was taken: half of what was enough is tried next.
                state.pause = max(Self.pause, .nanoseconds(state.pause.nanoseconds / 4))
            }
            return state.end
        }
    }

    private func next() -> UnownedJob? {
        state.withLockedValue { state in
            let job = state.jobs.popFirst()
            state.isDue = job != nil
            return job
        }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    func checkIsolated() {
        loop.preconditionInEventLoop()
    }
}

/// How often a loop has looked at its sockets.
private final class LoopRounds: NIOEventLoopMetricsDelegate {
    private let rounds = Atomic<UInt64>(0)

    var count: UInt64 { rounds.load(ordering: .relaxed) }

    func processedTick(info _: NIOEventLoopTickInfo) {
        rounds.add(1, ordering: .relaxed)
    }
}

/// Threads with a loop each, as many as were ever in use at once. None is ended: an actor is asked after its work is over, too.
private final class LoopPool: Sendable {
    typealias Place = (loop: any EventLoop, rounds: LoopRounds)

    static let shared = LoopPool()

    private struct State {
        var groups: [MultiThreadedEventLoopGroup] = []
        var free: [Place] = []
    }

    private let state = NIOLockedValueBox(State())

    func take() -> Place {
        state.withLockedValue { state in
            if let place = state.free.popLast() { return place }
            let rounds = LoopRounds()
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: rounds)
            state.groups.append(group)
            return (group.next(), rounds)
        }
    }

    func giveBack(_ place: Place) {
        state.withLockedValue { $0.free.append(place) }
    }
}
