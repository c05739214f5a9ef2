/// Whether a process stands still since somebody stopped it (Ctrl-Z, SIGSTOP): it does nothing, and does not end by
/// SIGTERM, before a SIGCONT.
package enum SuspendedProcess {
    /// State `T` in `/proc/PID/stat` (`proc_pid_stat(5)`); false where the system does not tell.
    package static func contains(_ process: Int32) -> Bool {
        guard let bytes = try? FileSystem.readStream("/proc/\(process)/stat", limit: 512),
            // The name before it, in brackets, may have brackets too.
            let name = bytes.lastIndex(of: UInt8(ascii: ")"))
        else { return false }
        return bytes[name...].dropFirst(2).first == UInt8(ascii: "T")
    }
}
