import Foundation

/// The best throughput and round trip of one TCP connection over loopback.
enum LoopbackStream {
    private static let bytes = 512 << 20
    private static let portion = 262_144
    private static let roundTrips = 5_000

    /// Sends half a gigabyte to a thread that reads it.
    static func bytesPerSecond() throws -> Double {
        let (sender, receiver) = try LoopbackSocket.pair()
        let begun = Stopwatch.now()
        Thread {
            let buffer = [UInt8](repeating: 7, count: portion)
            var left = bytes
            while left > 0 {
                let sent = send(sender.descriptor, buffer, min(left, portion), 0)
                guard sent > 0 else { break }
                left -= sent
            }
            sender.end()
        }.start()
        var buffer = [UInt8](repeating: 0, count: portion)
        var received = 0
        while true {
            let count = recv(receiver.descriptor, &buffer, portion, 0)
            guard count > 0 else { break }
            received += count
        }
        guard received == bytes else { throw BenchError("loopback lost bytes") }
        return Double(bytes) / (Stopwatch.now() - begun)
    }

    /// The median round trip of a few bytes to a thread that echoes them.
    static func roundTripMicroseconds() throws -> Double {
        let (sender, receiver) = try LoopbackSocket.pair()
        let word = [UInt8](repeating: 7, count: 64)
        Thread {
            var heard = word
            while recv(receiver.descriptor, &heard, heard.count, 0) > 0, receiver.write(heard) {}
        }.start()
        var heard = word
        let times = (0..<roundTrips).map { _ in
            let begun = Stopwatch.now()
            _ = sender.write(word)
            _ = recv(sender.descriptor, &heard, heard.count, 0)
            return (Stopwatch.now() - begun) * 1e6
        }
        sender.end()
        return Quantile.of(times, 0.5)
    }
}
