package import Entries
internal import FoundationEssentials
internal import Sodium
package import Storage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Writes an entry for a command: through the running node, or directly under the home's lock.
///
/// Calls block: not for an event loop.
package struct Writer: Sendable {
    private let home: Home
    private let client: ControlClient
    private let patience: UInt64
    private let device: DeviceKey?

    /// `patience` is the timeout for a node's response, and at most that for another command's lock, in milliseconds.
    ///
    /// `device` is a key that lies in no file, for a home without a running node.
    package init(
        _ home: Home,
        device: DeviceKey? = nil,
        patience: UInt64 = TransportLimits.controlAnswerMilliseconds
    ) {
        self.home = home
        self.device = device
        self.patience = patience
        client = ControlClient(home.layout, patience: patience)
    }

    /// Signs and stores an entry, durably.
    package func write(_ payload: Payload) throws(WriteError) -> WriteOutcome {
        let bytes = Data(payload.encode())
        return try write({ .append(kind: payload.kind.rawValue, payload: bytes, before: $0) }) {
            store,
            device throws(AppendError) in
            try store.append(payload, with: device, at: SystemClock.wallMilliseconds, publication: .held)
        }
    }

    /// Appends a delete of an own post and of every edit of it that is stored.
    package func delete(_ post: EntryID) throws(WriteError) -> WriteOutcome {
        try write({ .deletePost(id: post.description, before: $0) }) { store, device throws(AppendError) in
            try store.deleteOwn(post: post, with: device, at: SystemClock.wallMilliseconds, publication: .held)
        }
    }

    private func write(
        _ request: (_ before: UInt64) -> ControlRequest,
        alone: (EntryStore, SigningKey) throws(AppendError) -> OwnAppend
    ) throws(WriteError) -> WriteOutcome {
        let deadline = SystemClock.monotonicMilliseconds + min(patience, TransportLimits.lockPatienceMilliseconds)
        // A node that is starting or stopping holds the lock without a socket: alternate until one works.
        while true {
            // A write that begins later would hardly be answered in time.
            let begun = SystemClock.monotonicMilliseconds + patience / 5 * 4
            if let response = try ask(request(begun)) { return try Self.outcome(response) }
            switch try tryLock() {
            case .mine(let lock):
                defer { withExtendedLifetime(lock) {} }
                return try writeAlone(alone)
            case .busy(let process):
                guard SystemClock.monotonicMilliseconds < deadline else { throw .occupied(process: process) }
            }
            usleep(20_000)
        }
    }

    /// The node's response; nil if no node listens.
    private func ask(_ request: ControlRequest) throws(WriteError) -> ControlResponse? {
        do throws(ControlError) {
            return try client.send(request)
        } catch {
            switch error {
            case .noNode: return nil
            case .notResponding(let process): throw .notResponding(process: process)
            case .unanswered(let process): throw .unanswered(process: process)
            case .interrupted, .notUnderstood: throw .uncertain(error)
            }
        }
    }

    private enum LockOutcome {
        case mine(HomeLock)
        case busy(process: Int32?)
    }

    private func tryLock() throws(WriteError) -> LockOutcome {
        do throws(HomeError) {
            return .mine(try HomeLock(home.layout))
        } catch {
            guard case .busy(let process) = error else { throw .home(error) }
            return .busy(process: process)
        }
    }

    private func writeAlone(
        _ body: (EntryStore, SigningKey) throws(AppendError) -> OwnAppend
    ) throws(WriteError) -> WriteOutcome {
        let store: EntryStore
        do throws(HomeError) { store = try home.openStore() } catch { throw WriteError(error) }
        // The entry is durable: the next start finishes what `close` could not.
        defer { try? store.close() }
        // After the store: opening it completes an interrupted key change.
        let keys: HomeKeys
        do throws(HomeError) { keys = try home.keys() } catch { throw .home(error) }
        guard let device = keys.device ?? device else {
            let refusal: AppendRefusal
            do throws(StorageError) { refusal = try store.refusal(for: keys.missing) } catch { throw .storage(error) }
            throw .refused(refusal)
        }
        do throws(AppendError) {
            let own = try body(store, device.signing)
            guard let entry = own.chunk.entries.last else { preconditionFailure("an entry was appended") }
            return WriteOutcome(id: entry.id, spreading: .later)
        } catch {
            switch error {
            case .refused(let refusal): throw .refused(refusal)
            case .storage(let error): throw .storage(error)
            }
        }
    }

    private static func outcome(_ response: ControlResponse) throws(WriteError) -> WriteOutcome {
        switch response {
        case .appended(let entry):
            guard let id = Base32.decode(entry.id).flatMap({ EntryID($0) }) else { break }
            return WriteOutcome(id: id, spreading: .live)
        case .refused(let refusal):
            guard let refusal = refusal.refusal else { break }
            throw .refused(refusal)
        case .failed(let failure): throw .failed(failure)
        case .status, .synced, .imported, .released, .done: break
        }
        throw .uncertain(.notUnderstood)
    }
}

/// An entry that is durable and covered by a signed head.
package struct WriteOutcome: Hashable, Sendable {
    package let id: EntryID
    package let spreading: Spreading

    package enum Spreading: String, Hashable, Sendable {
        /// A running node has it and pushes it.
        case live
        /// It is stored, and spreads when a node runs.
        case later
    }
}

/// Why nothing was written, or why that is unknown.
package enum WriteError: Error, Hashable, Sendable {
    /// A rule forbids it (exit 7).
    case refused(AppendRefusal)
    /// A node runs on this home and accepts no request (exit 75): keep the draft.
    case notResponding(process: Int32?)
    /// The node got the request and did not respond (exit 75): keep the draft. The write may still complete if it had
    /// begun, else it will not.
    case unanswered(process: Int32?)
    /// A process holds the lock and accepts no requests (exit 75): a node that is starting or stopping, or a long
    /// command.
    case occupied(process: Int32?)
    /// The node went away during the request: the entry may have been written or not.
    case uncertain(ControlError)
    case home(HomeError)
    case storage(StorageError)
    /// The node reports a failure.
    case failed(NodeFailure)

    init(_ error: HomeError) {
        switch error {
        case .store(let error): self = .storage(error)
        default: self = .home(error)
        }
    }
}
