internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Who may write to a home now: the running node, or this process, which took the lock.
enum HomeTurn {
    case node(ControlClient)
    case alone(HomeLock)

    /// Finds the running node or takes the lock; waits for another command, and for a node that is starting or
    /// stopping.
    static func take(_ home: Home) throws(WriteError) -> HomeTurn {
        let client = ControlClient(home.layout)
        let deadline = SystemClock.monotonicMilliseconds + TransportLimits.lockPatienceMilliseconds
        while true {
            if try isAnswered(client) { return .node(client) }
            do throws(HomeError) {
                return .alone(try HomeLock(home.layout))
            } catch {
                guard case .busy(let process) = error else { throw .home(error) }
                guard SystemClock.monotonicMilliseconds < deadline else { throw .occupied(process: process) }
            }
            usleep(20_000)
        }
    }

    /// The running node; nil if there is none, and nothing is taken.
    static func node(_ home: Home) throws(WriteError) -> ControlClient? {
        let client = ControlClient(home.layout)
        return try isAnswered(client) ? client : nil
    }

    /// Sends a request to the node; a node that is gone is an error here.
    static func ask(_ request: ControlRequest, _ client: ControlClient) throws(WriteError) -> ControlResponse {
        do throws(ControlError) {
            return try client.send(request)
        } catch {
            throw failure(error)
        }
    }

    private static func isAnswered(_ client: ControlClient) throws(WriteError) -> Bool {
        do throws(ControlError) { return try client.isAnswered() } catch { throw failure(error) }
    }

    private static func failure(_ error: ControlError) -> WriteError {
        switch error {
        case .notResponding(let process): .notResponding(process: process)
        case .unanswered(let process): .unanswered(process: process)
        case .noNode, .interrupted, .notUnderstood: .uncertain(error)
        }
    }
}
