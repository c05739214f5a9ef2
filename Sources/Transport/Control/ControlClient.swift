#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A command's way to the running node. Calls block, so they come from no event loop and no node's own task.
package struct ControlClient: Sendable {
    private let layout: HomeLayout
    private let patience: UInt64

    /// A node that says nothing for so many milliseconds counts as hung.
    package init(_ layout: HomeLayout, patience: UInt64 = TransportLimits.controlAnswerMilliseconds) {
        self.layout = layout
        self.patience = patience
    }

    /// Asks one question over a connection of its own, and waits for the answer.
    package func send(_ request: ControlRequest) throws(ControlError) -> ControlResponse {
        try connection().send(request)
    }

    /// A connection for whoever has more than one to ask.
    package func connection() throws(ControlError) -> ControlConnection {
        ControlConnection(try connect(), layout, patience: patience)
    }

    /// Whether a node takes commands on this home.
    func isAnswered() throws(ControlError) -> Bool {
        do throws(ControlError) {
            _ = try connect()
            return true
        } catch {
            guard case .noNode = error else { throw error }
            return false
        }
    }

    private func connect() throws(ControlError) -> LocalSocket {
        let path = SocketPlace.find(layout)
        do throws(SystemError) {
            let socket = try LocalSocket(connectingTo: path, patience: patience)
            guard try socket.peerUser() == FileSystem.user else {
                throw SystemError(call: "connect", path: path, code: EACCES)
            }
            return socket
        } catch {
            switch error.code {
            // Where the home's own path is too long, a node names another before it listens.
            case ENOENT, ENOTDIR, ECONNREFUSED, ENAMETOOLONG: throw .noNode
            // The kernel's queue of a node that no longer accepts is full.
            case EAGAIN: throw .notResponding(process: HomeLock.holder(layout))
            default: throw .interrupted(error)
            }
        }
    }
}

/// Questions to a running node, one after the other.
package struct ControlConnection: ~Copyable {
    private let socket: LocalSocket
    private let layout: HomeLayout
    private let patience: UInt64

    fileprivate init(_ socket: consuming LocalSocket, _ layout: HomeLayout, patience: UInt64) {
        self.socket = socket
        self.layout = layout
        self.patience = patience
    }

    /// Asks, and waits for the answer; nothing more may be asked once this has thrown.
    ///
    /// A synchronisation may take as long as it was given; everything else as long as patience goes.
    package func send(_ request: ControlRequest) throws(ControlError) -> ControlResponse {
        var deadline = SystemClock.monotonicMilliseconds + patience
        if case .sync(let milliseconds) = request { deadline += milliseconds }
        let line: [UInt8]
        do throws(SystemError) {
            try socket.send(ControlLine.encode(request), before: deadline)
        } catch {
            // A line without its end is no request.
            throw error.code == ETIMEDOUT ? .notResponding(process: HomeLock.holder(layout)) : .interrupted(error)
        }
        do throws(SystemError) {
            line = try socket.receiveLine(limit: TransportLimits.controlResponseBytes, before: deadline)
        } catch {
            throw error.code == ETIMEDOUT ? .unanswered(process: HomeLock.holder(layout)) : .interrupted(error)
        }
        guard let response: ControlResponse = ControlLine.decode(line) else { throw .notUnderstood }
        return response
    }
}

/// Why a node did not answer.
package enum ControlError: Error, Hashable, Sendable {
    /// No node runs on this home.
    case noNode
    /// A node runs and takes no request: exit 75. Nothing was asked of it.
    case notResponding(process: Int32?)
    /// It was asked, and did not answer in time: exit 75. What was asked may still happen.
    case unanswered(process: Int32?)
    /// The connection broke, as when the node stops at this very moment.
    case interrupted(SystemError)
    /// The node is another version.
    case notUnderstood
}
