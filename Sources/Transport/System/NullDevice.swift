#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// `/dev/null`, to which people link a file that is to hold nothing.
enum NullDevice {
    /// Whether it is open, by whatever name.
    static func isOpen(_ descriptor: CInt) -> Bool {
        var found = stat()
        return fstat(descriptor, &found) == 0 && isNull(found)
    }

    /// Refuses to write where it lies in the place of a file: nothing would be kept, and a file that replaces it would
    /// fill up for everybody on the machine.
    ///
    /// - Throws: `SystemError.noFile`.
    static func refuse(_ path: String) throws(SystemError) {
        var found = stat()
        guard stat(path, &found) == 0, isNull(found) else { return }
        throw SystemError.noFile(path)
    }

    private static func isNull(_ found: stat) -> Bool {
        var null = stat()
        guard stat("/dev/null", &null) == 0 else { return false }
        return found.st_mode & S_IFMT == S_IFCHR && null.st_mode & S_IFMT == S_IFCHR && found.st_rdev == null.st_rdev
    }
}
