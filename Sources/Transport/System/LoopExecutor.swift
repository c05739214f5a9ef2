internal import NIOConcurrencyHelpers
internal import NIOCore

/// Executor on a thread with an event loop, for an actor and for the tasks that serve it.
///
/// A task must prefer it too: else each resumption goes through a thread of the runtime, which then wakes this one
/// (SE-0417).
final class LoopExecutor: SerialExecutor, TaskExecutor {
    private struct State {
        var jobs = CircularBuffer<UnownedJob>()
        /// Whether `run` is scheduled.
        var isDue = false
        /// The loop's tick in which jobs last ran, and the end of their time slice in it.
        var round: UInt64?
        var end = NIODeadline.uptimeNanoseconds(0)
    }

    /// Time slice of jobs in one tick of the loop, before the sockets are polled: half of what a peer's message may
    /// take, a guess.
    static let slice = TimeAmount.microseconds(500)

    private let place: LoopPool.Place
    private let state = NIOLockedValueBox(State())

    /// Takes a loop of its own: two nodes on one would delay each other's sockets.
    init() async throws(SystemError) {
        place = try await LoopPool.shared.take()
    }

    deinit {
        LoopPool.shared.giveBack(place)
    }

    var loop: any EventLoop { place.loop }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isNew = state.withLockedValue { state in
            state.jobs.append(job)
            defer { state.isDue = true }
            return !state.isDue
        }
        if isNew { loop.execute { self.run() } }
    }

    /// Runs queued jobs in order, on the loop, until the time slice ends; one job at least in each tick.
    private func run() {
        if let end = sliceEnd() {
            repeat {
                guard let job = next() else { return }
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            } while NIODeadline.now() < end
        }
        place.bell.ring { self.run() }
    }

    /// End of the time slice; nil if it has passed in this tick.
    private func sliceEnd() -> NIODeadline? {
        let (round, now) = (place.rounds.count, NIODeadline.now())
        return state.withLockedValue { state in
            if state.round != round { (state.round, state.end) = (round, now + Self.slice) }
            return now < state.end ? state.end : nil
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
