package import Entries
internal import FoundationEssentials
internal import Sodium
package import Storage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// How a command writes: through the running node, or, where none runs, by itself under the home's lock.
///
/// Calls block, so they come from no event loop.
package struct Writer: Sendable {
    private let home: Home
    private let client: ControlClient
    private let patience: UInt64
    private let device: DeviceKey?

    /// A command that writes, or a node that answers, is waited for so many milliseconds.
    ///
    /// `device` is a key that lies in no file, for where no node runs.
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

    /// Signs and saves an entry, durably.
    package func write(_ payload: Payload) throws(WriteError) -> WriteOutcome {
        let bytes = Data(payload.encode())
        return try write({ .append(kind: payload.kind.rawValue, payload: bytes, before: $0) }) {
            store,
            device throws(AppendError) in
            try store.append(payload, with: device, at: SystemClock.wallMilliseconds, publication: .held)
        }
    }

    /// Deletes an own post and every edit of it that is here.
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
        // A node that is just starting or stopping holds the lock without a socket: both are tried until one works.
        while true {
            // What is not begun by then would hardly be answered in time.
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

    /// The node's answer; nil if no node listens.
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
        // The entry is durable by then: what closing cannot tidy, the next start does.
        defer { try? store.close() }
        // Behind the store: opening it finishes a change of keys.
        let keys: HomeKeys
        do throws(HomeError) { keys = try home.keys() } catch { throw .home(error) }
        guard let device = keys.device ?? device else { throw .refused(store.refusal(for: keys.missing)) }
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
        case .failed(let reason): throw .failed(reason)
        case .status, .synced, .imported, .released, .done: break
        }
        throw .uncertain(.notUnderstood)
    }
}

/// An entry that is on disk and signed for.
package struct WriteOutcome: Hashable, Sendable {
    package let id: EntryID
    package let spreading: Spreading

    package enum Spreading: String, Hashable, Sendable {
        /// A node runs and has it.
        case live
        /// It is saved, and spreads when a node runs.
        case later
    }
}

/// Why nothing was written, or nobody knows.
package enum WriteError: Error, Hashable, Sendable {
    /// A rule forbids it (exit 7).
    case refused(AppendRefusal)
    /// A node holds this home and takes no request (exit 75): keep the draft.
    case notResponding(process: Int32?)
    /// It took the request and has not answered (exit 75): keep the draft. What it had begun may still come to be written, what
    /// it had not does not.
    case unanswered(process: Int32?)
    /// A process holds this home and takes no requests (exit 75): a node that is starting or stopping, or a long command.
    case occupied(process: Int32?)
    /// The node went away while it was asked: the entry may have been written or not.
    case uncertain(ControlError)
    case home(HomeError)
    case storage(StorageError)
    /// The node could not; one line for a person.
    case failed(String)

    init(_ error: HomeError) {
        switch error {
        case .store(let error): self = .storage(error)
        default: self = .home(error)
        }
    }
}
