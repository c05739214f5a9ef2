import Transport

/// The settings in a home's file; the command line overrides each.
struct Settings: Sendable {
    let path: String
    private let layout: HomeLayout
    private(set) var file: SettingsFile

    /// An invalid line of the file.
    struct Fault {
        let line: Int
        /// The key of the line; nil for an unknown one.
        var key: SettingKey?
        let text: SafeText
        /// The command that helps.
        let help: SafeText
    }

    init(_ layout: HomeLayout) throws(Failure) {
        let path = layout.config
        file = try Problems.naming { () throws(SystemError) in try SettingsFile(reading: path) }
        self.path = path
        self.layout = layout
    }

    /// The colour setting, for commands that only draw: nil if the file cannot be read, which `config` reports.
    static func colour(_ environment: Environment) -> Look.ColourChoice? {
        guard let layout = try? HomeLayout(environment: { environment[$0] }),
            let file = try? SettingsFile(reading: layout.config)
        else { return nil }
        return file.settings.first { $0.key == SettingKey.color.rawValue }.flatMap { .init(rawValue: $0.value) }
    }

    /// The value in the file; nil if there is none.
    func setting(_ key: SettingKey) -> SettingsFile.Setting? {
        file.settings.first { $0.key == key.rawValue }
    }

    func value(_ key: SettingKey) -> String { setting(key)?.value ?? key.usual }

    func isOn(_ key: SettingKey) -> Bool { value(key) == "on" }

    /// All faults, in the order of the lines.
    var faults: [Fault] {
        var seen: [String: Int] = [:]
        var faults = file.badLines.map { line in
            Fault(line: line, text: "this is neither a comment nor KEY = VALUE", help: "scurry config -h")
        }
        for setting in file.settings {
            if let fault = Self.fault(in: setting, after: seen[setting.key]) { faults.append(fault) }
            seen[setting.key] = seen[setting.key] ?? setting.line
        }
        return faults.sorted { $0.line < $1.line }
    }

    /// Refuses faulty settings: a node must start with what the person meant. Faults in keys that the command line
    /// gives do not count, as it overrides them.
    ///
    /// - Throws: `Failure` 64 that names the file and the line, and every other faulty line: a service that ends with
    ///   that is not started again, since only a person mends it.
    func check(but given: Set<SettingKey> = []) throws(Failure) {
        let faults = faults.filter { fault in !(fault.key.map(given.contains) ?? false) }
        guard let first = faults.first else { return }
        throw failure(first, and: faults.dropFirst())
    }

    func failure(_ fault: Fault, and others: some Sequence<Fault> = []) -> Failure {
        Failure(
            .usage,
            "\(path), line \(fault.line): \(fault.text)",
            hint: fault.help,
            candidates: others.map { other in
                let help: SafeText = other.help == fault.help ? "" : ": \(other.help)"
                return "line \(other.line): \(other.text)\(help)"
            }
        )
    }

    private static func fault(in setting: SettingsFile.Setting, after earlier: Int?) -> Fault? {
        guard let key = SettingKey(rawValue: setting.key) else {
            return Fault(
                line: setting.line,
                text: "there is no setting \(setting.key)",
                help: "scurry config \(ShellWord.option("--unset", setting.key))"
            )
        }
        if let earlier {
            return Fault(
                line: setting.line,
                key: key,
                text: "\(setting.key) is set in line \(earlier) already",
                help: "scurry config \(setting.key) VALUE leaves one of them"
            )
        }
        return key.fault(in: setting.value).map {
            Fault(line: setting.line, key: key, text: $0, help: "scurry config \(setting.key) \(key.usual)")
        }
    }

    // MARK: Changes

    /// The head of a file that `config` creates.
    private static var header: [String] {
        ["# Settings of scurry: KEY = VALUE, one a line. Written by `scurry config`; may be edited by hand.", "#"]
            + SettingKey.allCases.map { "# \($0.rawValue): \($0.purpose) (\($0.usual))" }
    }

    /// Changes the present file: another command may have changed it since it was read.
    mutating func set(_ key: SettingKey, to value: String) throws(Failure) {
        try change { (file: inout SettingsFile) throws(Failure) -> Bool in
            if file.isEmpty { file.comment(Self.header) }
            do throws(SettingsFile.LineBreak) {
                try file.set(key.rawValue, to: key.normal(value))
            } catch {
                throw Failure(
                    .usage,
                    "a value of \(key.rawValue) has no line break",
                    hint: "scurry config \(key.rawValue) \(key.usual)"
                )
            }
            return true
        }
    }

    /// Removes a key, known to this program or not; false if it was not set.
    mutating func unset(_ key: String) throws(Failure) -> Bool {
        // A key that is not set needs no write.
        guard file.settings.contains(where: { $0.key == key }) else { return false }
        return try change { $0.unset(key) > 0 }
    }

    /// Writes the file if `body` changed it; returns whether it did.
    @discardableResult
    private mutating func change(_ body: (inout SettingsFile) throws(Failure) -> Bool) throws(Failure) -> Bool {
        let turn = try Problems.naming { () throws(HomeError) in try SettingsTurn(layout) }
        defer { withExtendedLifetime(turn) {} }
        let path = path
        var present = try Problems.naming { () throws(SystemError) in try SettingsFile(reading: path) }
        let isChanged = try body(&present)
        if isChanged { try Problems.naming { () throws(SystemError) in try present.write(to: path) } }
        file = present
        return isChanged
    }
}
