import Logging
import Transport

/// The settings of a home.
enum SettingKey: String, CaseIterable, Sendable {
    case listen, dial, exchange, discover, carry
    case diskBudget = "disk-budget"
    case log, color

    /// The meaning of the setting, for the help, the file and `scurry config`.
    var purpose: SafeText {
        switch self {
        case .listen: "where the node listens: HOST:PORT, :PORT or HOST; port 0 picks a free one"
        case .dial: "on or off: whether the node calls its peers"
        case .exchange: "on or off: whether the node tells its peers of each other, and calls those it hears of"
        case .discover: "on or off: whether the node finds others on the local network, and lets them find it"
        case .carry:
            "whose logs the node carries: everything, following (you, and whom you follow), or ids with commas between"
        case .diskBudget:
            "what the database may take on the disk: none (no bound) or a size like 500M or 2G; texts of people whom you "
                + "do not follow give way first, the oldest before the others, yours never"
        case .log: "what the node logs: error, warning, notice, info or debug"
        case .color: "colours: auto, always or never"
        }
    }

    /// The default value.
    var usual: String {
        switch self {
        case .listen: ":7776"
        case .dial, .exchange: "on"
        case .discover: "off"
        case .carry: "everything"
        case .diskBudget: "none"
        case .log: Logger.Level.notice.rawValue
        case .color: Look.ColourChoice.auto.rawValue
        }
    }

    /// Whether a running node has to restart before the setting takes effect.
    var isOfTheNode: Bool { self != .color }

    /// Why a value is invalid for this key; nil if it is valid.
    func fault(in value: String) -> SafeText? {
        switch self {
        case .listen:
            do throws(PeerLineError) {
                _ = try ListenAddress(parsing: value)
                return nil
            } catch {
                return "\(value) is no address to listen on: \(ListenAddress.reason(error))"
            }
        case .dial, .exchange, .discover: return Self.choice(value, of: ["on", "off"], for: self)
        case .carry: return CarrySetting.fault(in: value)
        case .diskBudget: return BudgetSetting.fault(in: value)
        case .log: return Self.choice(value, of: LogLevel.allCases.map(\.rawValue), for: self)
        case .color: return Self.choice(value, of: Look.ColourChoice.allCases.map(\.rawValue), for: self)
        }
    }

    /// A valid value as it is written into the file.
    func normal(_ value: String) -> String { self == .carry ? CarrySetting.normal(value) : value }

    private static func choice(_ value: String, of choices: [String], for key: SettingKey) -> SafeText? {
        if choices.contains(value) { return nil }
        let shown: SafeText = value.isEmpty ? "nothing" : "\(value)"
        let last = choices.last ?? ""
        return
            "\(shown) is no value of \(key.rawValue): it takes \(choices.dropLast().joined(separator: ", ")) or \(last)"
    }
}

/// The node's log level.
enum LogLevel: String, CaseIterable, Sendable {
    case error, warning, notice, info, debug

    var level: Logger.Level {
        switch self {
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
