import Foundation

/// A TCP socket of an attacker, which calls from a loopback address of its choice.
final class LoopbackSocket {
    let descriptor: Int32

    enum Mode {
        /// Calls wait, a second at most.
        case blocking
        /// Nothing waits.
        case polled
    }

    /// Calls 127.0.0.1 at the port from 127.0.0.(2 + number): a polled one is on its way when this returns.
    init(calling port: UInt16, from number: Int, _ mode: Mode) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("no socket: \(errno)") }
        switch mode {
        case .blocking:
            var patience = timeval(tv_sec: 1, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
        case .polled:
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
        // Thousands of connections a second would use up the ports in a minute of waiting.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
        do {
            try call(bind, port: 0, host: 0x7F00_0002 + UInt32(number % 250))
            try call(connect, port: port, host: 0x7F00_0001)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit {
        close(descriptor)
    }

    /// False if the other side is gone, or takes nothing for a second.
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
        /// Nothing has come, in a second or at once.
        case nothing
        case over
    }

    func read(_ flags: Int32 = 0) -> Reading {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, flags)
        if count > 0 { return .bytes(Array(buffer.prefix(count))) }
        return count < 0 && errno == EAGAIN ? .nothing : .over
    }

    private func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32,
        port: UInt16,
        host: UInt32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = host.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 || errno == EINPROGRESS else { throw BenchError("an attacker cannot connect: \(errno)") }
    }
}
