// scurry config [KEY [VALUE]] [--unset KEY] [--json]

import ArgumentParser
import Transport

struct ConfigCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change the settings of this home.",
        usage: "scurry config [KEY [VALUE]] [--unset KEY] [--json]",
        discussion: """
            Settings are lines of one file, which may be edited by hand: comments stay. An option on the command line wins \
            over the file. A running node takes a change when it starts again.
            \(SettingKey.allCases.map { "\($0.rawValue): \($0.purpose)." }.joined(separator: "\n"))

            Example:
              scurry config listen :7777
              scurry config --unset listen
            """
    )

    @Argument(help: ArgumentHelp("Which setting; none shows all.", valueName: "key"))
    var key: String?

    @Argument(help: ArgumentHelp("Its new value.", valueName: "value"))
    var value: String?

    @Option(name: .long, help: ArgumentHelp("Take a setting out of the file.", valueName: "key"))
    var unset: String?

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func validate() throws {
        if unset != nil, key != nil { throw ValidationError("--unset takes the setting, and nothing besides") }
    }

    func run(on console: Console) throws {
        var settings = try Settings(HomeDoor.layout(console.environment))
        if let unset { return try remove(unset, &settings, on: console) }
        guard let key else { return try list(settings, on: console) }
        let known = try Self.known(key)
        guard let value else { return try show(known, settings, on: console) }
        try set(known, to: value, &settings, on: console)
    }

    private func list(_ settings: Settings, on console: Console) throws {
        switch reading.form {
        case .json:
            for key in SettingKey.allCases { try console.out.write(Self.object(key, settings)) }
        case .text:
            var facts = SettingKey.allCases.map { key in
                Facts.Fact("\(key.rawValue)", settings.setting(key).map { "\($0.value)" } ?? "\(key.usual) (default)")
            }
            facts.append(.init("file", "\(settings.path)"))
            try console.out.write(Facts(facts).lines(console.out.look))
        }
        try console.out.flush()
        try settings.check()
    }

    private func show(_ key: SettingKey, _ settings: Settings, on console: Console) throws {
        if let setting = settings.setting(key), let fault = settings.faults.first(where: { $0.line == setting.line }) {
            throw settings.failure(fault)
        }
        switch reading.form {
        case .json: try console.out.write(Self.object(key, settings))
        case .text: try console.out.write(StyledLine("\(settings.value(key))"))
        }
    }

    private func set(_ key: SettingKey, to value: String, _ settings: inout Settings, on console: Console) throws {
        if let fault = key.fault(in: value) {
            throw Failure(.usage, fault, hint: "scurry config \(key.rawValue) \(key.usual)")
        }
        if key == .carry, let home = try? HomeDoor.openIfMade(console.environment) {
            try CarrySetting.check(value, home)
        }
        try settings.set(key, to: value)
        switch reading.form {
        case .json: try console.out.write(Self.object(key, settings))
        case .text: console.tell("\(key.rawValue) is \(settings.value(key))\(Self.later(key, on: console))")
        }
    }

    private func remove(_ name: String, _ settings: inout Settings, on console: Console) throws {
        guard try settings.unset(name) else {
            // Unsetting a key that is not set succeeds; an unknown key is a mistake.
            let key = try Self.known(name)
            return try told(key, "\(name) was not set", settings, on: console)
        }
        guard let key = SettingKey(rawValue: name) else {
            switch reading.form {
            case .json: try console.out.write(Self.object(unknown: name))
            case .text: console.tell("\(name) is out of the file")
            }
            return
        }
        try told(key, "\(name) is \(key.usual), the default\(Self.later(key, on: console))", settings, on: console)
    }

    private func told(_ key: SettingKey, _ text: SafeText, _ settings: Settings, on console: Console) throws {
        switch reading.form {
        case .json: try console.out.write(Self.object(key, settings))
        case .text: console.tell(text)
        }
    }

    private static func known(_ name: String) throws(Failure) -> SettingKey {
        if let key = SettingKey(rawValue: name) { return key }
        let nearest = NearestCommand.find(name, among: SettingKey.allCases.map(\.rawValue))
        throw Failure(
            .usage,
            "there is no setting \(name)",
            hint: nearest.map { "did you mean: scurry config \($0)" } ?? "scurry config"
        )
    }

    private static func object(_ key: SettingKey, _ settings: Settings) -> JSONObject {
        let setting = settings.setting(key)
        return JSONObject([
            "id": .string(key.rawValue),
            "value": .string(settings.value(key)),
            "set": .bool(setting != nil),
            "line": setting.map { .integer(Int64($0.line)) } ?? .null,
        ])
    }

    /// The line of a key that this program does not know, and that was taken out of the file.
    private static func object(unknown name: String) -> JSONObject {
        JSONObject(["id": .string(name), "value": .null, "set": .bool(false), "line": .null])
    }

    /// A note that the node must restart; only for a key of the node, and only if one runs.
    private static func later(_ key: SettingKey, on console: Console) -> SafeText {
        guard key.isOfTheNode, let home = try? HomeDoor.openIfMade(console.environment) else { return "" }
        switch NodeGlance(of: home).answer {
        case .running, .silent, .unknown: return "; the node takes it when it starts again"
        case .notRunning: return ""
        }
    }
}
