/// The systemd unit that runs this home's node for its user, from boot or the first log-in on.
package struct ServiceUnit: Hashable, Sendable {
    package static let name = "scurry.service"

    /// `$XDG_CONFIG_HOME/systemd/user/scurry.service`
    package let path: String
    private let layout: HomeLayout
    private let selection: [Variable]
    /// `$HOME`, which a service has too: where a home is that no variable selects.
    private let userDirectory: String?

    private struct Variable: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// What a line of the unit that sets variables begins with.
    private static let key = "Environment="

    /// - Throws: `.nowhere` if the environment gives no settings directory; `.system` for a directory whose real path
    ///   is not UTF-8.
    package init(_ layout: HomeLayout, environment: (String) -> String?) throws(HomeError) {
        path = try HomeLayout.directory(environment, "XDG_CONFIG_HOME", "/.config") + "/systemd/user/" + Self.name
        // Under SCURRY_HOME the other two select nothing.
        let isOneDirectory = environment("SCURRY_HOME").map { !$0.isEmpty } ?? false
        var variables = isOneDirectory ? [Variable(name: "SCURRY_HOME", value: layout.data)] : []
        for name in (isOneDirectory ? [] : ["XDG_CONFIG_HOME", "XDG_DATA_HOME"]) + ["XDG_STATE_HOME"] {
            // A relative path counts as unset.
            guard let value = environment(name), value.hasPrefix("/") else { continue }
            let resolved = try HomeError.wrap { () throws(SystemError) in try FileSystem.resolvedAsFarAsItIs(value) }
            variables.append(Variable(name: name, value: resolved))
        }
        self.layout = layout
        selection = variables
        userDirectory = environment("HOME")
    }

    /// Environment variables that select this home, and the place of the records about it.
    package var variables: [(name: String, value: String)] { selection.map { ($0.name, $0.value) } }

    private var lines: [String] { variables.map { Self.key + Self.quoted("\($0.name)=\($0.value)") } }

    /// The unit's text for a program, given by its absolute path: in a command's first word systemd looks for no
    /// variables, and leaves a `$` as it is, and two.
    package func text(running program: String) -> String {
        // Tries again for ever: a busy port or a full disk may go away by itself. Every minute, a guess, and not slower
        // and slower: RestartSteps came with systemd 254, and an older one warns of it. After 64, a mistake of usage or
        // in the settings, and 7, refused by a rule, a retry ends as before.
        //
        // What is forbidden needs no privileges and no namespaces, which a user's systemd may not have.
        let text = """
            # Written by `scurry service install`; `scurry service remove` removes it.
            [Unit]
            Description=Scurry, a feed for a campus that nobody owns
            StartLimitIntervalSec=0

            [Service]
            ExecStart=\(Self.quoted(program)) run

            """
        let rest = """
            UMask=0077
            NoNewPrivileges=yes
            LockPersonality=yes
            RestrictRealtime=yes
            RestrictSUIDSGID=yes
            SystemCallArchitectures=native
            Restart=on-failure
            RestartSec=60
            RestartPreventExitStatus=7 64

            [Install]
            WantedBy=default.target

            """
        return text + lines.map { $0 + "\n" }.joined() + rest
    }

    /// Whether the unit exists, and for which home.
    package enum State: Hashable, Sendable {
        case absent
        case ofThisHome(text: String)
        /// It runs a node on another home.
        case ofAnotherHome
    }

    package func state() throws(SystemError) -> State {
        guard let bytes = try FileSystem.read(path, limit: 65_536) else { return .absent }
        let text = String(decoding: bytes, as: UTF8.self)
        return isOfThisHome(text) ? .ofThisHome(text: text) : .ofAnotherHome
    }

    /// Compares homes and not lines: one home can be selected in several ways, and earlier versions wrote other lines.
    private func isOfThisHome(_ text: String) -> Bool {
        var found: [String: String] = [:]
        for line in TextLines.split(text) where line.hasPrefix(Self.key) {
            for word in Self.words(line.dropFirst(Self.key.count)) {
                let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
            }
        }
        found["HOME"] = found["HOME"] ?? userDirectory
        guard let selected = try? HomeLayout(environment: { found[$0] }) else { return false }
        return selected.data == layout.data && selected.settings == layout.settings
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

    /// The words behind a key: what `quoted` wrote, and what a person wrote without quotes.
    private static func words(_ line: Substring) -> [String] {
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var rest = line.unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                words.append(word)
                word = ""
            case "\\":
                let escaped = rest.popFirst() ?? scalar
                word.unicodeScalars.append(escaped == "n" ? "\n" : escaped)
            case "%":
                if rest.first == scalar { rest.removeFirst() }
                word.unicodeScalars.append(scalar)
            default: word.unicodeScalars.append(scalar)
            }
        }
        return words + [word]
    }
}

extension String {
    /// By scalars, as systemd reads: a quote stays one before a mark that joins it.
    fileprivate func replacingEach(_ scalar: Unicode.Scalar, with text: String) -> String {
        unicodeScalars.reduce(into: "") { $0 += $1 == scalar ? text : String($1) }
    }
}
