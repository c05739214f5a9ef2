import Foundation
import Synchronization

/// Something that another thread does, and that may have to wait.
final class OtherThread: Sendable {
    /// Ample for what waits for nobody; what has to wait is watched for so long.
    private static let moment = DispatchTimeInterval.milliseconds(300)

    private let body: @Sendable () throws -> Void
    private let work = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    init(_ body: @escaping @Sendable () throws -> Void) {
        self.body = body
    }

    /// Begins it; false if it has not come to its end after a moment.
    func endsSoon() -> Bool {
        work.enter()
        Thread.detachNewThread { [self] in
            do { try body() } catch { failure.withLock { $0 = error } }
            work.leave()
        }
        return work.wait(timeout: .now() + Self.moment) == .success
    }

    /// Waits for its end.
    func wait() throws {
        work.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
