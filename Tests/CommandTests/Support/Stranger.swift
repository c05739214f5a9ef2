import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Somebody whom the permissions of files hold off: oneself, or for root, whom none do, nobody.
enum Stranger {
    private static let setpriv = "/usr/bin/setpriv"

    static let isPossible: Bool = (try? run(["--version"], ["PATH": "/usr/bin:/bin"]))?.code == 0

    static func run(_ arguments: [String], _ environment: [String: String]) throws -> Spawned.Ended {
        guard geteuid() == 0 else { return try Spawned(arguments, environment: environment).finish() }
        let words = ["--reuid=65534", "--regid=65534", "--clear-groups", ScurryProgram.path] + arguments
        return try Spawned(words, environment: environment, program: setpriv).finish()
    }
}
