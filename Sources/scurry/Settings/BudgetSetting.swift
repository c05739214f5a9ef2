import Storage

/// The setting `disk-budget`: none, or a size as people write it, `500M` or `2 GB`, in powers of a thousand.
enum BudgetSetting: Hashable {
    case none
    case bytes(DiskBudget)

    var budget: DiskBudget? {
        switch self {
        case .none: nil
        case .bytes(let budget): budget
        }
    }

    /// Parses the value; nil if it is invalid.
    static func parse(_ value: String) -> BudgetSetting? {
        if value == "none" { return BudgetSetting.none }
        guard let bytes = bytes(value), bytes >= StorageLimits.smallestBudgetBytes else { return nil }
        return .bytes(DiskBudget(bytes: bytes))
    }

    /// Why a value is invalid; nil if it is valid.
    static func fault(in value: String) -> SafeText? {
        guard parse(value) == nil else { return nil }
        let shown: SafeText = value.isEmpty ? "nothing" : "\(value)"
        let least = Amount.bytes(UInt64(StorageLimits.smallestBudgetBytes))
        return "\(shown) is no value of disk-budget: it takes none, or a size like 500M or 2G, at least \(least)"
    }

    /// The budget to use: the command line's, else the setting's, which was validated before.
    static func budget(typed: String?, _ settings: Settings) throws(Failure) -> DiskBudget? {
        guard let typed else { return parse(settings.value(.diskBudget))?.budget }
        if let fault = fault(in: typed) { throw Failure(.usage, fault, hint: "scurry run --disk-budget 500M") }
        return parse(typed)?.budget
    }

    private static func bytes(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        let factor: Int
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }).uppercased() {
        case "", "B": factor = 1
        case "K", "KB": factor = 1_000
        case "M", "MB": factor = 1_000_000
        case "G", "GB": factor = 1_000_000_000
        case "T", "TB": factor = 1_000_000_000_000
        default: return nil
        }
        let (bytes, isOverflow) = number.multipliedReportingOverflow(by: factor)
        return isOverflow ? nil : bytes
    }
}
