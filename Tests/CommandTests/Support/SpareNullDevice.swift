import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A null device that may be lost. Whoever may replace the machine's own (root) would do so where the program fails to
/// refuse it, and everything on the machine that writes there would fill a file.
enum SpareNullDevice {
    static let canBeMade: Bool = {
        guard let folder = try? ShortFolder() else { return false }
        return path(in: folder) != nil
    }()

    /// One in this folder for root, else the machine's; nil: root may not make devices here, or not use them.
    static func path(in folder: ShortFolder) -> String? {
        let shared = "/dev/null"
        guard getuid() == 0 else { return shared }
        var facts = stat()
        let own = folder.file("null")
        guard stat(shared, &facts) == 0, mknod(own, S_IFCHR | 0o666, facts.st_rdev) == 0 else { return nil }
        let descriptor = open(own, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        close(descriptor)
        return own
    }
}
