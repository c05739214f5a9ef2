import Transport

/// The failure when another process works in the home: waiting helps, and killing that process may hurt.
enum Occupied {
    static func failure(_ process: Int32?) -> Failure {
        Failure(.tryAgain, message(process), hint: "scurry status, and try again in a moment")
    }

    /// The failure where the home's lock is held: by a node that runs, whether it answers or hangs, it is `node`. One
    /// that was suspended has to go on before anything else helps.
    static func failure(_ process: Int32?, on home: Home, node: () -> Failure) -> Failure {
        switch NodeGlance(of: home).answer {
        // The node of another `scurry sync`.
        case .running(let report) where report.isRound == true: failure(process)
        case .silent(let silent) where silent.cause == .suspended:
            Failure(.tryAgain, "the node of this home does not answer: \(silent.state)", hint: silent.help)
        case .running, .silent: node()
        case .notRunning: failure(process)
        case .unknown(let error): Problems.failure(HomeError.system(error))
        }
    }

    /// It may also be a node that is starting or stopping: that too is over in a moment.
    static func message(_ process: Int32?) -> SafeText {
        "another command\(process.map { " (process \($0))" } ?? "") works on this home"
    }
}
