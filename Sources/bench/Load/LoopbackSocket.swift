import Foundation

/// A TCP socket over loopback; a caller chooses the address that it calls from.
final class LoopbackSocket: Sendable {
    let descriptor: Int32

    enum Mode {
        /// Reads and writes block without limit.
        case patient
        /// Reads and writes block for a second at most.
        case blocking
        /// Nothing blocks.
        case polled
    }

    /// An accepted connection.
    fileprivate init(taking descriptor: Int32) {
        self.descriptor = descriptor
        sendAtOnce()
    }

    /// Connects to the port of 127.0.0.1 from 127.0.0.(2 + number % 250); with `polled`, the connection is pending on
    /// return.
    ///
    /// `receiveBytes` limits the kernel's receive buffer; nil: the kernel's choice.
    init(calling port: UInt16, from number: Int, _ mode: Mode, receiveBytes: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no socket: \(errno)") }
        switch mode {
        case .patient: break
        case .blocking:
            var patience = timeval(tv_sec: 1, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        case .polled:
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        if var bytes = receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        sendAtOnce()
        // Closes with a reset: thousands of connections a second would use up the ports within a minute of TIME_WAIT.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        var own = LoopbackAddress.of(host: 0x7F00_0002 + UInt32(number % 250), port: 0)
        var other = LoopbackAddress.of(host: 0x7F00_0001, port: port)
        let isBound = LoopbackAddress.pass(&own) { bind(descriptor, $0, $1) == 0 }
        guard isBound, LoopbackAddress.pass(&other, { connect(descriptor, $0, $1) == 0 || errno == EINPROGRESS }) else {
            // Every property is set: `deinit` closes the descriptor.
            throw BenchError("cannot connect over loopback: \(errno)")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Shuts the connection down; a blocked read returns its end.
    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }

    /// Writes all bytes; false if the other side is gone or the write times out.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    enum Reading {
        case bytes([UInt8])
        /// No bytes within the time limit of the mode.
        case nothing
        case over
    }

    func read(_ flags: Int32 = 0) -> Reading {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        return count < 0 && errno == EAGAIN ? .nothing : .over
    }

    /// Reads exactly so many bytes, blocking; nil if the other side ends before.
    func read(exactly count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes {
                recv(descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[filled...]).baseAddress, count - filled, 0)
            }
            guard more > 0 else { return nil }
            filled += more
        }
        return bytes
    }

    /// Both ends of a new connection over loopback.
    static func pair() throws -> (LoopbackSocket, LoopbackSocket) {
        let listener = try LoopbackListener()
        let caller = try LoopbackSocket(calling: listener.port, from: 0, .patient)
        guard let called = listener.accept() else { throw BenchError("no connection over loopback") }
        return (caller, called)
    }

    private func sendAtOnce() {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// A listener on a port of 127.0.0.1 that the system picked.
final class LoopbackListener: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackAddress.of(host: 0x7F00_0001, port: 0)
        let descriptor = descriptor
        let isListening = LoopbackAddress.pass(&address) { address, size in
            var size = size
            return bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
                && getsockname(descriptor, UnsafeMutablePointer(mutating: address), &size) == 0
        }
        guard isListening else { throw BenchError("no port on loopback: \(errno)") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next connection; nil once the listener has ended.
    func accept() -> LoopbackSocket? {
        let caller = Foundation.accept(descriptor, nil, nil)
        return caller < 0 ? nil : LoopbackSocket(taking: caller)
    }

    func end() {
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}

private enum LoopbackAddress {
    static func of(host: UInt32, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        return address
    }

    static func pass(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
