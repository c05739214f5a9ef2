/// The systemd unit that runs this home's node for its user, from boot or the first log-in on.
package struct ServiceUnit: Hashable, Sendable {
    package static let name = "scurry.service"

    /// `$XDG_CONFIG_HOME/systemd/user/scurry.service`
    package let path: String
    /// Environment variables that select this home.
    private let variables: [(name: String, value: String)]

    private static let variableNames = ["SCURRY_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]

    package static func == (left: Self, right: Self) -> Bool {
        left.path == right.path && left.lines == right.lines
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(path)
        hasher.combine(lines)
    }

    /// - Throws: `.nowhere` if the environment gives no settings directory.
    package init(_ layout: HomeLayout, environment: (String) -> String?) throws(HomeError) {
        path = try HomeLayout.directory(environment, "XDG_CONFIG_HOME", "/.config") + "/systemd/user/" + Self.name
        variables = Self.variableNames.compactMap { name in
            guard let value = environment(name), !value.isEmpty else { return nil }
            // A relative path would mean another place to the service.
            if name == "SCURRY_HOME" { return (name, layout.data) }
            return value.hasPrefix("/") ? (name, value) : nil
        }
    }

    /// The lines that tell this home's unit from another's.
    private var lines: [String] { variables.map { "Environment=\(Self.quoted("\($0.name)=\($0.value)"))" } }

    /// The unit's text for a program, given by its absolute path.
    package func text(running program: String) -> String {
        // Retries after ten seconds, as for a busy port or a full disk; status 64 is a mistake that no retry mends.
        let text = """
            # Written by `scurry service install`; `scurry service remove` removes it.
            [Unit]
            Description=Scurry, a feed for a campus that nobody owns
            StartLimitIntervalSec=0

            [Service]
            ExecStart=\(Self.quoted(program).replacingEach("$", with: "$$")) run

            """
        let rest = """
            UMask=0077
            Restart=on-failure
            RestartSec=10
            RestartPreventExitStatus=64

            [Install]
            WantedBy=default.target

            """
        return text + lines.map { $0 + "\n" }.joined() + rest
    }

    /// Whether the unit exists, and for which home.
    package enum Standing: Hashable, Sendable {
        case absent
        case ofThisHome(text: String)
        /// It runs a node on another home.
        case ofAnotherHome
    }

    package func standing() throws(SystemError) -> Standing {
        guard let bytes = try FileSystem.read(path, limit: 65_536) else { return .absent }
        let text = String(decoding: bytes, as: UTF8.self)
        let found = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("Environment=") }
        // Earlier versions wrote no XDG_STATE_HOME.
        let outside = "XDG_STATE_HOME="
        let isSame = found.filter { !$0.contains(outside) } == lines.filter { !$0.contains(outside) }
        return isSame ? .ofThisHome(text: text) : .ofAnotherHome
    }

    package func write(running program: String) throws(SystemError) {
        if let directory = FileSystem.parent(of: path) { try FileSystem.makeDirectories(directory) }
        try FileSystem.replace(path, with: text(running: program))
    }

    package func remove() throws(SystemError) { try FileSystem.remove(path) }

    /// A quoted and escaped word of a unit file (`systemd.syntax(7)`, `systemd.unit(5)`).
    static func quoted(_ text: String) -> String {
        let escaped = text.replacingEach("\\", with: "\\\\").replacingEach("\"", with: "\\\"")
            .replacingEach("%", with: "%%").replacingEach("\n", with: "\\n")
        return "\"" + escaped + "\""
    }
}

extension String {
    fileprivate func replacingEach(_ character: Character, with text: String) -> String {
        reduce(into: "") { $0 += $1 == character ? text : String($1) }
    }
}
