import Transport

/// The failure when another process works in the home: waiting helps, and killing that process may hurt.
enum Occupied {
    static func failure(_ process: Int32?) -> Failure {
        Failure(.tryAgain, message(process), hint: "scurry status, and try again in a moment")
    }

    /// The failure where the home's lock is held: by a node that runs, whether it answers or hangs, it is `node`.
    static func failure(_ process: Int32?, on home: Home, node: () -> Failure) -> Failure {
        switch NodeGlance(of: home).answer {
        case .running, .silent: node()
        case .notRunning: failure(process)
        }
    }

    /// It may also be a node that is starting or stopping: that too is over in a moment.
    static func message(_ process: Int32?) -> SafeText {
        "another command\(process.map { " (process \($0))" } ?? "") works on this home"
    }
}
