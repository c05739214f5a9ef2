import Foundation
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Disks that are full, read-only or elsewhere: mounted for one shell script alone, in a namespace of its own.
enum Mounts {
    /// Root, and a system that lets go of its mounts.
    static let isPossible: Bool = {
        #if os(Linux)
            guard geteuid() == 0 else { return false }
            let ended = try? Spawned(["-m", "true"], environment: [:], program: "/usr/bin/unshare").finish()
            return ended?.code == 0
        #else
            return false
        #endif
    }()

    /// Runs a script whose mounts go with it; `$SCURRY` is the program, `$1`, `$2` … are the arguments.
    static func run(
        _ script: String,
        _ arguments: String...,
        environment: [String: String]
    ) throws -> Spawned.Ended {
        try run(script, arguments: arguments, environment: environment)
    }

    static func run(_ script: String, arguments: [String], environment: [String: String]) throws -> Spawned.Ended {
        var variables = environment
        variables["SCURRY"] = ScurryProgram.path
        variables["PATH"] = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
        return try Spawned(
            ["-m", "--propagation", "private", "sh", "-c", script, "sh"] + arguments,
            environment: variables,
            program: "/usr/bin/unshare"
        ).finish()
    }
}

/// A disk of a few megabytes, mounted where only what is run on it sees it, and gone with it.
final class SmallDisk {
    let folder: ShortFolder
    private let holder: Spawned
    private let process: String

    init(megabytes: Int) throws {
        folder = try ShortFolder()
        // The namespace lasts as long as somebody is in it.
        let script = "mount -t tmpfs -o size=\(megabytes)m tmpfs \"$1\" && echo $$ && exec cat"
        holder = try Spawned(
            ["-m", "--propagation", "private", "sh", "-c", script, "sh", folder.path],
            environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"],
            program: "/usr/bin/unshare"
        )
        process = String(try holder.wait(for: "\n").dropLast())
    }

    func start(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws -> Spawned {
        try Spawned(
            ["-t", process, "-m", program] + arguments,
            environment: environment,
            program: "/usr/bin/nsenter"
        )
    }

    /// Writes a file until there is no room left.
    func fill() throws {
        let ended = try start("/bin/dd", ["if=/dev/zero", "of=\(folder.file("filler"))", "bs=4k"]).finish()
        try #require(ended.err.contains("No space left on device"), "\(ended.err)")
    }

    func makeRoom() throws {
        let ended = try start("/bin/rm", [folder.file("filler")]).finish()
        try #require(ended.code == 0, "\(ended.err)")
    }
}
