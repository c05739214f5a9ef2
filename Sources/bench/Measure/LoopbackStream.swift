import Foundation
import Synchronization

/// One TCP connection over loopback that carries as much as it can.
enum LoopbackStream {
    private static let bytes = 512 << 20
    private static let portion = 262_144

    /// Sends half a gigabyte to a thread that reads it.
    static func bytesPerSecond() throws -> Double {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard listener >= 0 else { throw BenchError("no socket") }
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard isListening else { throw BenchError("no port on loopback") }
        let sender = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(sender) }
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(sender, $0, length) == 0 }
        }
        let receiver = accept(listener, nil, nil)
        guard isConnected, receiver >= 0 else { throw BenchError("no connection over loopback") }
        defer { close(receiver) }

        let begun = Stopwatch.now()
        let thread = Thread {
            let buffer = [UInt8](repeating: 7, count: portion)
            var left = bytes
            while left > 0 {
                let sent = send(sender, buffer, min(left, portion), 0)
                guard sent > 0 else { break }
                left -= sent
            }
            shutdown(sender, Int32(SHUT_WR))
        }
        thread.start()
        var buffer = [UInt8](repeating: 0, count: portion)
        var received = 0
        while true {
            let count = recv(receiver, &buffer, portion, 0)
            guard count > 0 else { break }
            received += count
        }
        guard received == bytes else { throw BenchError("loopback lost bytes") }
        return Double(bytes) / (Stopwatch.now() - begun)
    }
}
