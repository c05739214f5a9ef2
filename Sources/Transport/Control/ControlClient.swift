#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Client of the running node's control socket. Calls block: not for an event loop or a node's own task.
package struct ControlClient: Sendable {
    private let layout: HomeLayout
    private let patience: UInt64

    /// A node that does not respond within `patience` milliseconds counts as hung.
    package init(_ layout: HomeLayout, patience: UInt64 = TransportLimits.controlAnswerMilliseconds) {
        self.layout = layout
        self.patience = patience
    }

    /// Sends one request over a connection of its own, and returns the response.
    package func send(_ request: ControlRequest) throws(ControlError) -> ControlResponse {
        try connection().send(request)
    }

    /// Opens a connection for several requests.
    package func connection() throws(ControlError) -> ControlConnection {
        ControlConnection(try connect(), layout, patience: patience)
    }

    /// Whether nobody accepts connections where the home's socket should be.
    package var isCut: Bool {
        do throws(SystemError) {
            _ = try LocalSocket(connectingTo: SocketPlace.find(layout), patience: 1)
            return false
        } catch {
            return Self.isNobody(error)
        }
    }

    /// Whether nobody listens, by the error of `connect`. `ENAMETOOLONG`: the home's path is too long, and
    /// `control.path` names no other one.
    private static func isNobody(_ error: SystemError) -> Bool {
        [ENOENT, ENOTDIR, ECONNREFUSED, ENAMETOOLONG].contains(error.code)
    }

    /// Whether a node accepts commands for this home.
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
            if Self.isNobody(error) {
                // The socket of a node that runs may be gone.
                guard let process = HomeLock.node(layout) else { throw .noNode }
                throw .notResponding(process: process)
            }
            // The kernel's backlog is full: the node no longer accepts.
            guard error.code != EAGAIN else { throw .notResponding(process: HomeLock.holder(layout)) }
            throw .interrupted(error)
        }
    }
}

/// A connection for requests to a running node, one after the other.
package struct ControlConnection: ~Copyable {
    private let socket: LocalSocket
    private let layout: HomeLayout
    private let patience: UInt64

    fileprivate init(_ socket: consuming LocalSocket, _ layout: HomeLayout, patience: UInt64) {
        self.socket = socket
        self.layout = layout
        self.patience = patience
    }

    /// Sends a request and returns the response; not to be called again after it has thrown.
    ///
    /// Times out after `patience`, a `sync` request after its own timeout plus `patience`.
    package func send(_ request: ControlRequest) throws(ControlError) -> ControlResponse {
        let encoded = EncodedRequest(request)
        let deadline = encoded.deadline(patience)
        try begin(encoded, before: deadline)
        return try response(before: deadline)
    }

    /// Sends a request without waiting for the response, which `response(to:)` has to read before the next request.
    package func begin(_ request: EncodedRequest) throws(ControlError) {
        try begin(request, before: request.deadline(patience))
    }

    /// Reads the response to a request that was sent.
    package func response(to request: EncodedRequest) throws(ControlError) -> ControlResponse {
        try response(before: request.deadline(patience))
    }

    private func begin(_ request: EncodedRequest, before deadline: UInt64) throws(ControlError) {
        do throws(SystemError) {
            try socket.send(request.line, before: deadline)
        } catch {
            // A line without its end is not executed.
            throw error.code == ETIMEDOUT ? .notResponding(process: HomeLock.holder(layout)) : .interrupted(error)
        }
    }

    private func response(before deadline: UInt64) throws(ControlError) -> ControlResponse {
        let line: [UInt8]
        do throws(SystemError) {
            line = try socket.receiveLine(limit: TransportLimits.controlResponseBytes, before: deadline)
        } catch {
            throw error.code == ETIMEDOUT ? .unanswered(process: HomeLock.holder(layout)) : .interrupted(error)
        }
        guard let response: ControlResponse = ControlLine.decode(line) else { throw .notUnderstood }
        return response
    }

    /// The socket's file descriptor, readable once a response comes.
    package var descriptor: Int32 { socket.descriptor }
}

/// A request as it is sent, encoded ahead of that.
package struct EncodedRequest: Sendable {
    fileprivate let line: [UInt8]
    private let patience: UInt64

    package init(_ request: ControlRequest) {
        line = ControlLine.encode(request)
        patience = if case .sync(let milliseconds) = request { milliseconds } else { 0 }
    }

    fileprivate func deadline(_ patience: UInt64) -> UInt64 {
        SystemClock.monotonicMilliseconds + patience + self.patience
    }
}

/// Why a request got no response.
package enum ControlError: Error, Hashable, Sendable {
    /// No node runs on this home.
    case noNode
    /// A node runs and accepts no request, or its socket is gone, so nothing happened: exit 75.
    case notResponding(process: Int32?)
    /// The node got the request and did not respond in time, so it may still be executed: exit 75.
    case unanswered(process: Int32?)
    /// The connection broke, as when the node stops.
    case interrupted(SystemError)
    /// The response does not parse: the node is of another version.
    case notUnderstood
}
