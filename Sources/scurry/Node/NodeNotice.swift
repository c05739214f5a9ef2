#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Transport

/// Tells the running node that a file of its home has changed. It looks at no file by itself: one that was not told
/// goes on with what it read.
enum NodeNotice {
    enum Hearing: Equatable {
        case heard
        /// The next node reads the file at its start.
        case noNode
        /// A node runs and does not answer; nil if it did not leave its process id.
        case unheard(process: Int32?)
        case otherVersion
    }

    static func peersChanged(_ home: Home) -> Hearing { send(.peersChanged, home) }

    static func keyChanged(_ home: Home) -> Hearing { send(.keyChanged, home) }

    /// How long a person waits for a command that has done its work; a guess.
    private static let patienceMilliseconds: UInt64 = 3_000

    private static func send(_ request: ControlRequest, _ home: Home) -> Hearing {
        let deadline = SystemClock.monotonicMilliseconds + patienceMilliseconds
        while true {
            do throws(ControlError) {
                return try ControlClient(home.layout).send(request) == .done ? .heard : .otherVersion
            } catch {
                switch error {
                case .noNode: return .noNode
                // The node is ending, or has as many connections as it accepts.
                case .interrupted where SystemClock.monotonicMilliseconds < deadline: usleep(50_000)
                case .interrupted: return .unheard(process: nil)
                case .notResponding(let process), .unanswered(let process): return .unheard(process: process)
                case .notUnderstood: return .otherVersion
                }
            }
        }
    }

    /// The failure of a command that did its work, but whose node does not know of it.
    ///
    /// - Parameters:
    ///   - hearing: what the node was told.
    ///   - code: 75 where the same command may be typed again, 6 where it would find nothing to do.
    ///   - done: what was done.
    ///   - consequence: what the node does meanwhile, as "calls it until it ends".
    /// - Returns: nil if the node knows, or none runs.
    static func failure(_ hearing: Hearing, _ code: ExitCode, done: SafeText, _ consequence: SafeText) -> Failure? {
        switch hearing {
        case .heard, .noNode: nil
        case .unheard(let process):
            Failure(
                code,
                "\(done); but the node does not answer, and \(consequence)",
                hint: process.map { "kill \($0)" } ?? "scurry status"
            )
        case .otherVersion:
            Failure(
                code,
                "\(done); but the node is of another version, and \(consequence)",
                hint: "restart it: scurry run"
            )
        }
    }
}
