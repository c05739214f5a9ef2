import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A pipe that has no room from the start: whoever writes into it waits until somebody reads.
final class FullPipe {
    let writing: Int32
    private var reading: Int32
    /// Bytes that are read before anything that was written.
    private var fillerBytes = 0
    private var bytes: [UInt8] = []

    init() throws {
        (reading, writing) = try Spawned.heldPipe()
        let flags = fcntl(writing, F_GETFL)
        _ = fcntl(writing, F_SETFL, flags | O_NONBLOCK)
        // The last ones alone: what is written by one call waits for room for all of it.
        for size in [4_096, 1] {
            let filler = [UInt8](repeating: UInt8(ascii: "."), count: size)
            while case let count = write(writing, filler, size), count > 0 { fillerBytes += count }
        }
        _ = fcntl(writing, F_SETFL, flags)
    }

    deinit {
        closeReading()
        close(writing)
    }

    /// Nobody reads any more: who waits gets `EPIPE`.
    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    /// Reads until a text was written; all that was written before, and it.
    func wait(for wanted: String) throws -> String {
        let deadline = Date().addingTimeInterval(Spawned.patience)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !written.contains(wanted) {
            guard Date() < deadline else { throw Spawned.Trouble(description: "waited for “\(wanted)”: \(written)") }
            var item = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
            guard poll(&item, 1, 100) > 0 else { continue }
            let count = read(reading, &buffer, buffer.count)
            guard count > 0 else { throw Spawned.Trouble(description: "no “\(wanted)” before the end: \(written)") }
            bytes += buffer.prefix(count)
        }
        return written
    }

    private var written: String { String(decoding: bytes.dropFirst(fillerBytes), as: UTF8.self) }
}
