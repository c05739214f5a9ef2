/// The failure when another process works in the home: waiting helps, and killing that process may hurt.
enum Occupied {
    static func failure(_ process: Int32?) -> Failure {
        Failure(.tryAgain, message(process), hint: "scurry status, and try again in a moment")
    }

    static func message(_ process: Int32?) -> SafeText {
        let who: SafeText = process.map { "process \($0)" } ?? "another process"
        return "\(who) is at work in this home, as a node does that starts or stops"
    }
}
