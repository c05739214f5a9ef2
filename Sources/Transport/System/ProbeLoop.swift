internal import NIOPosix

/// The event loop of a command that calls other nodes, or tries a port. It is one: each takes files.
package enum ProbeLoop {
    /// Made at its first use, and never ended: the command's end ends it.
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Raises the limit of open files as far as this user may, if it is too low.
    ///
    /// - Throws: `.tooFewFiles` where no node would start: for NIO an event loop that cannot be made is the program's
    ///   end.
    package static func check() throws(NodeError) {
        let needed = TransportLimits.openFilesAtLeast
        let allowed = OpenFileLimit.raised(for: needed)
        guard allowed >= needed else { throw .tooFewFiles(allowed: allowed, needed: needed) }
    }
}
