import Foundation
import Synchronization
import Testing

@testable import Transport

/// All places that a node has for commands: whoever else comes is sent away until this is gone.
///
/// Each is held by questions: a connection that says nothing loses its place after a time
/// (`TransportLimits.controlRequestMilliseconds`), and on a slow machine a command takes as long.
final class HeldPlaces {
    /// A connection of its own.
    private final class Place {
        private static let patience = UInt64(Spawned.patience) * 1_000

        private let socket: LocalSocket

        init(at path: String) throws(SystemError) {
            socket = try LocalSocket(connectingTo: path, patience: Self.patience)
        }

        /// Asks the node for its status; throws once it has closed the connection.
        func ask() throws(SystemError) {
            let deadline = SystemClock.monotonicMilliseconds + Self.patience
            try socket.send(ControlLine.encode(ControlRequest.status), before: deadline)
            _ = try socket.receiveLine(limit: TransportLimits.controlResponseBytes, before: deadline)
        }
    }

    private final class State: Sendable {
        let begun = DispatchSemaphore(value: 0)
        let end = DispatchSemaphore(value: 0)
        let failure = Mutex<SystemError?>(nil)
    }

    private let state = State()

    /// Why a place was lost, or not had; nil: all are held since the beginning.
    var failure: SystemError? { state.failure.withLock { $0 } }

    /// Returns once the node has answered at all of its places.
    init(of home: TestHome) throws {
        let path = home.path + "/control.sock"
        Thread { [state] in
            do throws(SystemError) {
                let places = try Self.take(at: path)
                state.begun.signal()
                // Many rounds in the time that a silent one has.
                while state.end.wait(timeout: .now() + .seconds(1)) == .timedOut {
                    for place in places { try place.ask() }
                }
            } catch {
                state.failure.withLock { $0 = error }
                state.begun.signal()
            }
        }.start()
        try #require(state.begun.wait(timeout: .now() + 2 * Spawned.patience) == .success)
        try #require(failure == nil)
    }

    deinit {
        state.end.signal()
    }

    private static func take(at path: String) throws(SystemError) -> [Place] {
        let deadline = SystemClock.monotonicMilliseconds + UInt64(Spawned.patience) * 1_000
        var places: [Place] = []
        while places.count < TransportLimits.controlConnections {
            let place = try Place(at: path)
            do throws(SystemError) {
                try place.ask()
                places.append(place)
            } catch {
                // The node may not have noticed yet that a command has ended, and its place is free.
                guard SystemClock.monotonicMilliseconds < deadline else { throw error }
            }
        }
        return places
    }
}
