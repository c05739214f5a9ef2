/// Where everything of one home lies; only names, nothing is written.
///
/// `SCURRY_HOME` holds all of it; without it, what a person writes is in `$XDG_CONFIG_HOME/scurry` and the rest in
/// `$XDG_DATA_HOME/scurry`.
package struct HomeLayout: Hashable, Sendable {
    /// Absolute path of the directory with store, keys and lock.
    package let data: String
    /// Absolute path of the directory with peers file and settings; the same one under `SCURRY_HOME`.
    package let settings: String
    /// Where an opened key may lie, the best place first.
    let memory: [MemoryPlace]
    /// Absolute path of this user's directory for what a program remembers of its homes outside of them,
    /// `$XDG_STATE_HOME/scurry`; nil: nothing is.
    let state: String?

    /// Everything in one directory; an absolute path.
    package init(directory: String) {
        let memory = MemoryPlace.standard(runtime: ProcessEnvironment.value("XDG_RUNTIME_DIR"))
        self.init(data: directory, settings: directory, memory: memory)
    }

    init(data: String, settings: String, memory: [MemoryPlace], state: String? = nil) {
        self.data = data
        self.settings = settings
        self.memory = memory
        self.state = state
    }

    /// As the environment says, which gives a variable's value; empty and relative XDG variables count as unset, as
    /// their specification asks for. Both directories may be links: a home has one name, wherever it is seen from.
    package init(environment: (String) -> String?) throws(HomeError) {
        let memory = MemoryPlace.standard(runtime: environment("XDG_RUNTIME_DIR"))
        let state = try? Self.directory(environment, "XDG_STATE_HOME", "/.local/state") + "/scurry"
        if let home = environment("SCURRY_HOME"), !home.isEmpty {
            let directory = FileSystem.resolvedAsFarAsItIs(try Self.absolute(home))
            self.init(data: directory, settings: directory, memory: memory, state: state)
            return
        }
        let data = try Self.directory(environment, "XDG_DATA_HOME", "/.local/share") + "/scurry"
        let settings = try Self.directory(environment, "XDG_CONFIG_HOME", "/.config") + "/scurry"
        self.init(
            data: FileSystem.resolvedAsFarAsItIs(data),
            settings: FileSystem.resolvedAsFarAsItIs(settings),
            memory: memory,
            state: state
        )
    }

    /// As the environment of this process says.
    package static func current() throws(HomeError) -> HomeLayout {
        try HomeLayout(environment: ProcessEnvironment.value)
    }

    /// Posts and logs; written by one process only.
    package var store: String { data + "/store.sqlite" }
    /// What the reader of this home marked; never leaves it.
    package var reader: String { data + "/reader.sqlite" }
    package var drafts: String { data + "/drafts" }
    package var keys: String { data + "/keys" }
    package var nodeKey: String { keys + "/node.key" }
    /// What everybody in a private network knows; absent in an open one.
    package var networkSecret: String { keys + "/network.secret" }
    package var deviceKey: String { keys + "/device.key" }
    package var peers: String { settings + "/peers" }
    package var config: String { settings + "/config" }
    /// Whoever changes one of these two holds it.
    var settingsTurn: String { settings + "/settings.lock" }
    /// Which node answered first at which address.
    package var knownNodes: String { data + "/known_nodes" }
    /// Addresses heard from peers.
    package var learnedPeers: String { data + "/learned_peers" }
    package var lock: String { data + "/lock" }
    /// Whoever replaces the device key holds it.
    var keyTurn: String { data + "/keys.lock" }
    /// The network's name; written last when a home is made.
    package var network: String { data + "/network" }
    /// There while a home is being made.
    var unfinished: String { data + "/unfinished" }
    var controlSocket: String { data + "/control.sock" }
    /// Says where the control socket is when its path here would be too long.
    var controlPath: String { data + "/control.path" }

    private static func absolute(_ path: String) throws(HomeError) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        if path.hasPrefix("/") { return String(path) }
        guard let directory = ProcessEnvironment.workingDirectory else { throw .nowhere }
        return directory + "/" + path
    }

    static func directory(
        _ environment: (String) -> String?,
        _ variable: String,
        _ otherwise: String
    ) throws(HomeError) -> String {
        if let path = environment(variable), path.hasPrefix("/") { return try absolute(path) }
        if let home = environment("HOME"), home.hasPrefix("/") { return try absolute(home) + otherwise }
        guard let home = ProcessEnvironment.userDirectory else { throw .nowhere }
        return try absolute(home) + otherwise
    }
}
