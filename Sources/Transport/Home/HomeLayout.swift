/// The paths of a home; computes names and writes nothing.
///
/// With `SCURRY_HOME` everything is there; else the files that a person edits are in `$XDG_CONFIG_HOME/scurry`, the
/// rest in `$XDG_DATA_HOME/scurry`.
package struct HomeLayout: Hashable, Sendable {
    /// Absolute path of the directory with store, keys and lock.
    package let data: String
    /// Absolute path of the directory with peers file and settings; the same as `data` under `SCURRY_HOME`.
    package let settings: String
    /// Places for an opened key, the best first.
    let memory: [MemoryPlace]
    /// Absolute path of this user's `$XDG_STATE_HOME/scurry`, for records about homes that are kept outside of them;
    /// nil: none are kept.
    let state: String?

    /// A layout with everything in one directory, given by an absolute path.
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

    /// The layout according to environment variables; empty and relative XDG variables count as unset, as their
    /// specification says. Links to the directories are resolved, so that a home has one path.
    ///
    /// - Throws: `.nowhere`; `.system` for a directory whose real path is not UTF-8.
    package init(environment: (String) -> String?) throws(HomeError) {
        let memory = MemoryPlace.standard(runtime: environment("XDG_RUNTIME_DIR"))
        let state = try? Self.directory(environment, "XDG_STATE_HOME", "/.local/state") + "/scurry"
        if let home = environment("SCURRY_HOME"), !home.isEmpty {
            let directory = try Self.resolved(try Self.absolute(home))
            self.init(data: directory, settings: directory, memory: memory, state: state)
            return
        }
        let data = try Self.directory(environment, "XDG_DATA_HOME", "/.local/share") + "/scurry"
        let settings = try Self.directory(environment, "XDG_CONFIG_HOME", "/.config") + "/scurry"
        self.init(
            data: try Self.resolved(data),
            settings: try Self.resolved(settings),
            memory: memory,
            state: state
        )
    }

    /// Entries of all logs; one process writes it.
    package var store: String { data + "/store.sqlite" }
    /// Read marks of this home's reader; never sent.
    package var reader: String { data + "/reader.sqlite" }
    package var drafts: String { data + "/drafts" }
    package var keys: String { data + "/keys" }
    package var nodeKey: String { keys + "/node.key" }
    /// Secret of a private network; absent in an open one.
    package var networkSecret: String { keys + "/network.secret" }
    package var deviceKey: String { keys + "/device.key" }
    package var peers: String { settings + "/peers" }
    package var config: String { settings + "/config" }
    /// Lock of the two files above: peers and settings.
    var settingsTurn: String { settings + "/settings.lock" }
    /// Pins: the node that answered first at an address.
    package var knownNodes: String { data + "/known_nodes" }
    /// Addresses learned from peers.
    package var learnedPeers: String { data + "/learned_peers" }
    package var lock: String { data + "/lock" }
    /// Names the directories of opened keys (`OpenedPlaces`).
    var openedPlaces: String { data + "/opened_places" }
    /// Lock for replacing the device key.
    var keyTurn: String { data + "/keys.lock" }
    /// The network's name; written last when a home is made.
    package var network: String { data + "/network" }
    /// Marks a home that is not complete yet.
    var unfinished: String { data + "/unfinished" }
    var controlSocket: String { data + "/control.sock" }
    /// Names the control socket's path if the one in the home would be too long.
    var controlPath: String { data + "/control.path" }

    private static func resolved(_ path: String) throws(HomeError) -> String {
        try HomeError.wrap { () throws(SystemError) in try FileSystem.resolvedAsFarAsItIs(path) }
    }

    private static func absolute(_ path: String) throws(HomeError) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path = path.dropLast() }
        if path.hasPrefix("/") { return String(path) }
        let directory = try HomeError.wrap { () throws(SystemError) in try ProcessEnvironment.workingDirectory() }
        guard let directory else { throw .nowhere }
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
