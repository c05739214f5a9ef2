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
