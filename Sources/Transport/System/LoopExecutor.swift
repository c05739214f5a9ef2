internal import NIOConcurrencyHelpers
internal import NIOCore

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
    }

    /// Jobs run for so long in one round of the loop, a guess: half of what a message of a peer's may take. Then the sockets have
    /// their turn.
    private static let slice = TimeAmount.microseconds(500)

    private let place: LoopPool.Place
    private let state = NIOLockedValueBox(State())

    /// With a loop of its own: two nodes on one would keep each other from their sockets.
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

    /// On the loop: what there is, in order. One job at least, however late the loop comes to it.
    private func run() {
        if let end = sliceEnd() {
            repeat {
                guard let job = next() else { return }
                job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            } while NIODeadline.now() < end
        }
        place.bell.ring { self.run() }
    }

    /// Until when jobs may run; nil: not in this round any more.
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
