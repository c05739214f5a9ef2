import Storage
import Transport

/// Texts about the database's size on disk, and about bodies evicted for its budget.
enum BudgetTerms {
    static func disk(_ status: StoreStatus, _ report: StatusReport?) -> SafeText {
        let used = Amount.bytes(UInt64(max(0, status.databaseBytes)))
        let budget = report?.diskBudgetBytes.map { Amount.bytes(UInt64(max(0, $0))) }
        let taken: SafeText = budget.map { "\(used) of \($0)" } ?? used
        return status.evictedBodies == 0 ? taken : "\(taken), \(gaveWay(status.evictedBodies))"
    }

    /// Why the database may outgrow its budget; nil: it may not, or no node says so.
    static func failure(_ report: StatusReport?) -> SafeText? {
        report?.budgetFailure.map { "nothing gives way to the budget: \(SafeText(line: $0))" }
    }

    /// That the database is larger than the node's budget although nothing failed, with what helps; nil: it is not, or
    /// no node says so.
    static func excess(_ status: StoreStatus, _ report: StatusReport?) -> SafeText? {
        guard let report, let budget = report.diskBudgetBytes, report.budgetFailure == nil,
            status.databaseBytes > budget
        else { return nil }
        guard status.usedBytes > budget else { return "more than its budget: \(fileStays)" }
        let carrying: Carrying = report.carriedPeople == nil ? .everything : .following
        return "more than its budget: the rest may not give way, or not so fast; \(remedy(status, budget, carrying))"
    }

    static func finding(_ status: StoreStatus, _ budget: DiskBudget, _ carrying: Carrying) -> Finding {
        let used = Amount.bytes(UInt64(max(0, status.databaseBytes)))
        let whole = Amount.bytes(UInt64(max(0, budget.bytes)))
        let text: SafeText =
            status.evictedBodies == 0 ? "\(used) of \(whole)" : "\(used) of \(whole), \(gaveWay(status.evictedBodies))"
        guard status.databaseBytes > budget.bytes else { return .ok("budget", text) }
        guard status.usedBytes > budget.bytes else {
            return .warning("budget", "\(text): \(fileStays)", help: "df -h, then scurry run")
        }
        return .warning(
            "budget",
            "\(text): nothing more may give way, or the node was not started since",
            help: remedy(status, budget.bytes, carrying)
        )
    }

    private static let fileStays: SafeText =
        "what gave way left room in its file, which a start shrinks if the disk has room"

    /// A budget with room for more than there is, and where that helps a narrower scope, so that less comes.
    private static func remedy(_ status: StoreStatus, _ budget: Int, _ carrying: Carrying) -> SafeText {
        let megabytes = (max(budget, status.databaseBytes) + 999_999) / 1_000_000
        let larger: SafeText = "scurry config disk-budget \(2 * megabytes)M"
        // A hub follows nobody.
        guard carrying == .everything, status.ownIdentity != nil else { return larger }
        return "\(larger), or scurry config carry following"
    }

    /// How complete a home is that wants nothing: `complete`, or all but the texts that gave way.
    static func completeness(_ print: FingerprintReport) -> SafeText {
        guard print.evictedBodies > 0 else { return "complete" }
        return "complete but for \(Amount.of(print.evictedBodies, "text", "texts")) that gave way"
    }

    static func gaveWay(_ bodies: Int) -> SafeText { "\(Amount.of(bodies, "text", "texts")) gave way" }
}
