#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A file that is written anew with each input, in memory where the system has such a place.
struct ScratchFile: Sendable {
    let path: String

    init(_ name: String) {
        let place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        var template = "\(place)/scurry-fuzz.XXXXXX".utf8CString
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        guard let made else { broken("no folder for files") }
        path = made + "/" + name
    }

    func write(_ bytes: [UInt8]) {
        let file = fopen(path, "w")
        defer { if let file { fclose(file) } }
        chmod(path, 0o600)
        guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            broken("a file could not be written")
        }
    }

    func read() -> [UInt8] {
        guard let file = fopen(path, "r") else { broken("a file could not be read") }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 16 * 1_048_576)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }

    func remove(suffix: String) {
        unlink(path + suffix)
    }
}
