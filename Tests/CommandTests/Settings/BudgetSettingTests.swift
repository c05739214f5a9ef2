import Entries
import Foundation
import Storage
import Testing
import Transport

@testable import scurry

struct BudgetSettingTests {
    @Test func `A budget too small for anything is a usage error, and the node does not start`() throws {
        let home = try TestHome(name: "hazel")
        expectFailure(
            try home.run("run", "--disk-budget", "63M"),
            64,
            "63M is no value of disk-budget: it takes none, or a size like 500M or 2G, at least 64 MB",
            hint: "scurry run --disk-budget 500M"
        )
        expectFailure(
            try home.run("config", "disk-budget", "1k"),
            64,
            "1k is no value of disk-budget: it takes none, or a size like 500M or 2G, at least 64 MB",
            hint: "scurry config disk-budget none"
        )
    }

    /// A home that holds all that another one wrote.
    private func home(holding other: TestHome) throws -> TestHome {
        let home = try TestHome(name: "rowan")
        try home.succeed("import", try other.bundle("other"))
        return home
    }

    /// Takes from a home the texts of others.
    private func evict(_ home: TestHome) throws {
        let home = try Home(opening: HomeLayout(directory: home.path))
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        // So small that whatever may go goes.
        try store.keep(within: DiskBudget(bytes: 100_000)) { .max }
        try store.close()
    }

    @Test func `A post without its text says that the text gave way, and not that it is to come`() throws {
        let hazel = try TestHome(name: "hazel")
        let first = try hazel.post("one")
        try hazel.post("two", "-c", "squirrels")
        let rowan = try home(holding: hazel)
        try rowan.post("of my own")
        #expect(try rowan.json("feed").allSatisfy { $0["dropped"] as? Bool == false })
        try evict(rowan)
        let words = "the text gave way to the disk budget"
        let feed = try rowan.succeed("feed")
        #expect(feed.components(separatedBy: words).count == 3 && feed.contains("of my own"), "\(feed)")
        #expect(!feed.contains("not arrived"), "\(feed)")
        #expect(try rowan.succeed("show", first).contains(words))
        #expect(try rowan.succeed("show", first).contains("this node; its text is no longer here\n"))
        #expect(try !hazel.succeed("show", first).contains("no longer"))
        #expect(try rowan.succeed("show", first, "--history").contains(words))
        let row = try #require(try rowan.json("show", first).first)
        #expect(row["dropped"] as? Bool == true && row["state"] as? String == "wanted" && row["text"] is NSNull)
        #expect(try rowan.json("show", first, "--history").map { $0["dropped"] as? Bool } == [true])
        #expect(try rowan.json("feed").filter { $0["dropped"] as? Bool == true }.count == 2)
        let narrow = try rowan.run(["feed"], ["COLUMNS": "40"]).out
        #expect(narrow.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(narrow)")
    }

    @Test func `Status, doctor and fingerprint say what gave way`() throws {
        let hazel = try TestHome(name: "hazel")
        for text in ["one", "two"] { try hazel.post(text) }
        let rowan = try home(holding: hazel)
        #expect(try rowan.succeed("fingerprint").hasSuffix("  complete\n"))
        let print = try rowan.json("fingerprint").first?["fingerprint"] as? String
        try evict(rowan)

        #expect(try rowan.succeed("fingerprint") == "\(print ?? "")  complete but for 2 texts that gave way\n")
        let row = try #require(try rowan.json("fingerprint").first)
        #expect(row["complete"] as? Bool == false && row["dropped_bodies"] as? Int == 2)
        let status = try rowan.run(["status"], ["COLUMNS": "200"]).out
        #expect(status.contains(", 2 texts gave way\n"), "\(status)")
        #expect(status.contains(" complete but for 2 texts that gave way\n"), "\(status)")
        #expect(try rowan.json("status").first?["complete"] as? Bool == false)
        #expect(try rowan.json("status").first?["dropped_bodies"] as? Int == 2)
        try rowan.succeed("config", "disk-budget", "64M")
        let findings = try JSONLines.parse(try rowan.run("doctor", "--json").out)
        let budget = findings.first { $0["id"] as? String == "budget" }
        #expect(budget?["state"] as? String == "ok")
        #expect((budget?["text"] as? String)?.hasSuffix(" of 64 MB, 2 texts gave way") == true)
    }

    @Test(
        arguments: [
            ("none", BudgetSetting.none), ("64000000", .bytes(DiskBudget(bytes: 64_000_000))),
            ("500M", .bytes(DiskBudget(bytes: 500_000_000))), ("500 mb", .bytes(DiskBudget(bytes: 500_000_000))),
            ("2G", .bytes(DiskBudget(bytes: 2_000_000_000))), ("1T", .bytes(DiskBudget(bytes: 1_000_000_000_000))),
        ] as [(String, BudgetSetting)]
    )
    func `Sizes are read as people write them`(text: String, setting: BudgetSetting) {
        #expect(BudgetSetting.parse(text) == setting)
        #expect(BudgetSetting.fault(in: text) == nil)
    }

    @Test(arguments: ["", "0", "63999999", "63M", "-1", "1.5G", "2 X", "G", "500MM", "99999999999T", "٥٠٠M"])
    func `Whatever else is refused with what it takes`(text: String) {
        #expect(BudgetSetting.parse(text) == nil)
        #expect(BudgetSetting.fault(in: text)?.string.contains("500M or 2G, at least 64 MB") == true)
    }
}
