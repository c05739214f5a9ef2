#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Linux's `struct ucred`, which Swift does not import: the result of `SO_PEERCRED`.
struct KernelCredentials: Sendable {
    var process: Int32 = 0
    var user: UInt32 = 0
    var group: UInt32 = 0
}

/// A command's end of a local socket, with a deadline for each operation; calls block, so not for an event loop.
struct LocalSocket: ~Copyable {
    let descriptor: CInt
    private let path: String

    /// Connects; throws `ENOENT` or `ECONNREFUSED` at once if nobody listens, and `EAGAIN` if the listener's backlog
    /// stays full for `patience` milliseconds.
    init(connectingTo path: String, patience: UInt64) throws(SystemError) {
        descriptor = try Self.connected(to: path, patience: patience)
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// The peer process's user: a socket under `/tmp` may be another user's.
    func peerUser() throws(SystemError) -> UInt32 {
        #if canImport(Glibc)
            var peer = KernelCredentials()
            var size = socklen_t(MemoryLayout<KernelCredentials>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
                throw SystemError("getsockopt", path)
            }
            return peer.user
        #else
            var user: uid_t = 0
            var group: gid_t = 0
            guard getpeereid(descriptor, &user, &group) == 0 else { throw SystemError("getpeereid", path) }
            return user
        #endif
    }

    /// Sends everything before the deadline (monotonic milliseconds).
    func send(_ bytes: [UInt8], before deadline: UInt64) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            try wait(for: POLLOUT, before: deadline)
            let count = rest.withUnsafeBytes { buffer in
                sendOnce(descriptor, buffer)
            }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw SystemError("send", path)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Receives one line of at most `limit` bytes before the deadline; returns it without its line end.
    func receiveLine(limit: Int, before deadline: UInt64) throws(SystemError) -> [UInt8] {
        var line: [UInt8] = []
        while line.count <= limit {
            try wait(for: POLLIN, before: deadline)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                throw SystemError("recv", path)
            }
            if count == 0 { throw SystemError(call: "recv", path: path, code: ECONNRESET) }
            if let end = buffer[..<count].firstIndex(of: UInt8(ascii: "\n")) { return line + buffer[..<end] }
            line += buffer[..<count]
        }
        throw SystemError(call: "recv", path: path, code: EMSGSIZE)
    }

    private static func connected(to path: String, patience: UInt64) throws(SystemError) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { target in
            guard name.count < target.count else { return false }
            target.copyBytes(from: name)
            return true
        }
        guard isFitting else { throw SystemError(call: "connect", path: path, code: ENAMETOOLONG) }
        #if canImport(Glibc)
            let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw SystemError("socket", path) }
        var timeout = timeval()
        timeout.tv_sec = time_t(patience / 1_000)
        timeout.tv_usec = suseconds_t(patience % 1_000 * 1_000)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var status: CInt
        repeat {
            status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            // Interrupted while the backlog was full: no connection has begun.
        } while status != 0 && errno == EINTR
        guard status == 0 else {
            let error = SystemError("connect", path)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private func wait(for events: Int32, before deadline: UInt64) throws(SystemError) {
        while true {
            let now = SystemClock.monotonicMilliseconds
            guard now < deadline else { throw SystemError(call: "poll", path: path, code: ETIMEDOUT) }
            var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let count = poll(&item, 1, CInt(clamping: deadline - now))
            if count > 0 { return }
            if count < 0, errno != EINTR { throw SystemError("poll", path) }
        }
    }
}

private func sendOnce(_ descriptor: CInt, _ buffer: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
        Glibc.send(descriptor, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL))
    #else
        Darwin.send(descriptor, buffer.baseAddress, buffer.count, MSG_DONTWAIT)
    #endif
}
