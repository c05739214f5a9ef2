#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

extension OpenFile {
    /// `pread`: the bytes from a place on, up to `count`; fewer where the file ends.
    func bytes(_ count: Int, at place: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let read = pread(descriptor, &bytes, count, off_t(place))
            if read >= 0 { return Array(bytes.prefix(read)) }
            if errno != EINTR { throw SystemError("pread", path) }
        }
    }
}
