internal import NIOConcurrencyHelpers

/// Inputs on their way to the node: put in by any thread, taken out in order by one task.
///
/// Not an `AsyncStream`: its storage is generic code that is not compiled for its elements, which each post passes
/// twice.
final class NodeInputs: Sendable {
    private struct State {
        var waiting: [NodeInput] = []
        /// The task that waits for the next input; nil: none waits.
        var taker: UnsafeContinuation<[NodeInput], Never>?
        var isOver = false
    }

    private let state = NIOLockedValueBox(State())

    /// Puts in an input; after `finish` it is dropped.
    func yield(_ input: NodeInput) {
        let taker = state.withLockedValue { state -> UnsafeContinuation<[NodeInput], Never>? in
            guard !state.isOver else { return nil }
            guard let taker = state.taker else {
                state.waiting.append(input)
                return nil
            }
            state.taker = nil
            return taker
        }
        taker?.resume(returning: [input])
    }

    /// Ends the inputs; those put in before are still taken out.
    func finish() {
        let taker = state.withLockedValue { state -> UnsafeContinuation<[NodeInput], Never>? in
            state.isOver = true
            defer { state.taker = nil }
            return state.taker
        }
        taker?.resume(returning: [])
    }

    /// Takes out all inputs, once there is one; none at the end. For one task at a time.
    func next() async -> [NodeInput] {
        await withUnsafeContinuation { taker in
            let ready = state.withLockedValue { state -> [NodeInput]? in
                guard state.waiting.isEmpty, !state.isOver else {
                    defer { state.waiting = [] }
                    return state.waiting
                }
                state.taker = taker
                return nil
            }
            if let ready { taker.resume(returning: ready) }
        }
    }
}
