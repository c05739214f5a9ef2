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

    static func finding(_ status: StoreStatus, _ budget: DiskBudget) -> Finding {
        let used = Amount.bytes(UInt64(max(0, status.databaseBytes)))
        let whole = Amount.bytes(UInt64(max(0, budget.bytes)))
        let text: SafeText =
            status.evictedBodies == 0 ? "\(used) of \(whole)" : "\(used) of \(whole), \(gaveWay(status.evictedBodies))"
        guard status.databaseBytes > budget.bytes else { return .ok("budget", text) }
        return .warning(
            "budget",
            "\(text): nothing more may give way, or the node was not started since",
            help: "scurry config disk-budget \(2 * (budget.bytes / 1_000_000))M"
        )
    }

    static func gaveWay(_ bodies: Int) -> SafeText { "\(Amount.of(bodies, "text", "texts")) gave way" }
}
