#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Transport

/// The systemd user service that runs this home's node.
struct UserService {
    let unit: ServiceUnit
    private let environment: Environment

    init(_ layout: HomeLayout, _ environment: Environment) throws(Failure) {
        unit = try Problems.naming { () throws(HomeError) in try ServiceUnit(layout) { environment[$0] } }
        self.environment = environment
    }

    /// Whether the user's services outlive the last session.
    enum Lingering: String {
        case yes, no
        /// There is no `loginctl`, or it does not know.
        case unknown
    }

    /// The command that enables lingering.
    static let lingerCommand: SafeText = "loginctl enable-linger"

    static let journalCommand: SafeText = "journalctl --user -u scurry"

    func state() throws(Failure) -> ServiceUnit.State {
        try Problems.naming { () throws(SystemError) in try unit.state() }
    }

    var lingering: Lingering {
        let outcome = SystemTool.run(
            ["loginctl", "show-user", String(getuid()), "--property=Linger"],
            environment: environment
        )
        guard case .ended(_, let text) = outcome else { return .unknown }
        if text.contains("Linger=yes") { return .yes }
        // logind does not know a user without a session and without lingering.
        return text.contains("Linger=no") || text.contains("not logged in or lingering") ? .no : .unknown
    }

    func systemctl(_ words: [String]) -> SystemTool.Outcome {
        SystemTool.run(["systemctl", "--user"] + words, environment: environment)
    }

    /// systemd's one-word answer, such as `active` or `enabled`; nil if it gives none.
    func answer(to question: String) -> String? {
        guard case .ended(_, let text) = systemctl([question, ServiceUnit.name]) else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        return words.count == 1 ? words.first.map(String.init) : nil
    }
}
