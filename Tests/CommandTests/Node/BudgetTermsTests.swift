import Foundation
import Storage
import Testing
import Transport

@testable import scurry

/// What is said of a database that is larger than its budget, and what helps.
struct BudgetTermsTests {
    private func status(of home: TestHome) throws -> StoreStatus {
        let opened = try Home(opening: HomeLayout(directory: home.path))
        return try StoreReader(path: opened.layout.store, network: opened.network).status()
    }

    private func report(_ fields: String) throws -> StatusReport {
        let json = """
            {"node":"me","network":"campus","process":1,"startedAt":1,"fingerprint":"","logs":0,"wantedLogs":0,
            "wantedBodies":0,"setAsideLogs":0,"isOwnLogCleared":true,"isSigningStopped":false,"isLocked":false,
            "bytesReceived":0,"bytesSent":0,"targets":[],"peers":[],\(fields)}
            """
        return try JSONDecoder().decode(StatusReport.self, from: Data(json.utf8))
    }

    @Test func `Of a database larger than its budget it is said what helps`() throws {
        let status = try status(of: TestHome(name: "hazel"))
        #expect(status.databaseBytes > 100_000 && status.databaseBytes <= 1_000_000)
        let small = DiskBudget(bytes: 100_000)
        let both = "scurry config disk-budget 2M, or scurry config carry following"
        #expect(BudgetTerms.finding(status, small, .everything).help?.string == both)
        #expect(BudgetTerms.finding(status, small, .following).help?.string == "scurry config disk-budget 2M")
        let said = "more than its budget: the rest may not give way, or not so fast; "
        let excess = BudgetTerms.excess(status, try report("\"diskBudgetBytes\":100000"))
        #expect(excess?.string == said + both)
        let narrow = BudgetTerms.excess(status, try report("\"diskBudgetBytes\":100000,\"carriedPeople\":3"))
        #expect(narrow?.string == said + "scurry config disk-budget 2M")
    }

    @Test func `Of a database within its budget, or that failed to keep within it, nothing of that is said`() throws {
        let status = try status(of: TestHome(name: "hazel"))
        #expect(BudgetTerms.finding(status, DiskBudget(bytes: 64_000_000), .everything).help == nil)
        #expect(BudgetTerms.excess(status, nil) == nil)
        #expect(BudgetTerms.excess(status, try report("\"diskBudgetBytes\":null")) == nil)
        #expect(BudgetTerms.excess(status, try report("\"diskBudgetBytes\":64000000")) == nil)
        let failed = try report("\"diskBudgetBytes\":100000,\"budgetFailure\":\"stuck\"")
        #expect(BudgetTerms.excess(status, failed) == nil)
    }
}
