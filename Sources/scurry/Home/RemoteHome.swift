import Transport

/// The warning about a home on a remote or FUSE file system, given once by each process that begins to write.
enum RemoteHome {
    static func warning(_ type: String) -> SafeText {
        "the home is on \(SafeText(line: type)): one machine at a time may use it, and none whose locks do not reach the others"
    }

    /// The hint: a home on a disk of this machine.
    static let help: SafeText = "SCURRY_HOME=/var/tmp/$USER scurry init, or a home on a disk of this machine"

    /// Warns about an existing home; nothing for one on a disk of this machine.
    static func tell(_ layout: HomeLayout, on console: Console, mounts: MountTable = .current()) {
        guard let type = layout.remoteFileSystem(mounts) else { return }
        console.note("scurry: warning: \(warning(type)); scurry doctor")
    }

    /// Warns before a command that writes by itself: a node that answers on this machine has warned, and holds the
    /// home's lock.
    static func tellLoneWriter(_ desk: ReadingDesk, on console: Console, mounts: MountTable = .current()) {
        guard desk.home.layout.remoteFileSystem(mounts) != nil, desk.glance.report == nil else { return }
        tell(desk.home.layout, on: console, mounts: mounts)
    }
}
