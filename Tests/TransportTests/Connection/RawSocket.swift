import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A stranger's TCP connection to 127.0.0.1, in blocking calls.
final class RawSocket: Sendable {
    private let descriptor: CInt
    /// Before it was opened, monotonic milliseconds.
    private let began = SystemClock.monotonicMilliseconds

    /// `receiveBytes`: how much the kernel takes in for this end; nil: as it likes.
    /// `host`: another address of this machine that it comes from.
    init(port: UInt16, from host: UInt32? = nil, receiveBytes: CInt? = nil) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        if var bytes = receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<CInt>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        if let host {
            var own = address
            own.sin_port = 0
            own.sin_addr.s_addr = host.bigEndian
            Self.call(bind, descriptor, &own)
        }
        let status = Self.call(connect, descriptor, &address)
        guard status == 0 else { throw SystemError("connect", "127.0.0.1:\(port)") }
        var timeout = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    @discardableResult
    private static func call(
        _ function: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt,
        _ descriptor: CInt,
        _ address: inout sockaddr_in
    ) -> CInt {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Ignores that the other side may be gone.
    func send(_ bytes: [UInt8]) {
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// The next bytes that come, so many at most; nil if none do.
    func read(atMost count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let read = recv(descriptor, &buffer, count, 0)
        return read > 0 ? Array(buffer.prefix(read)) : nil
    }

    func hangUp() {
        shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Everything that the other side says until it closes, and how long after the beginning of this connection that
    /// was; nil if it does not within a minute.
    func listen() -> (said: [UInt8], milliseconds: UInt64)? {
        var said: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return (said, SystemClock.monotonicMilliseconds - began) }
            if count < 0 { return nil }
            said += buffer.prefix(count)
        }
    }

    /// True if the other side closes within a minute, whatever it says before.
    func isClosedByPeer() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return true }
            if count < 0 { return errno == ECONNRESET }
        }
    }
}
