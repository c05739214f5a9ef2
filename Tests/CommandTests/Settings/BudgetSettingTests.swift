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

    @Test func `Status, doctor and fingerprint say what gave way`() throws {
        let (hazel, rowan) = (try TestHome(name: "hazel"), try TestHome(name: "rowan"))
        for text in ["one", "two"] { try hazel.post(text) }
        let export = try hazel.start(["export"])
        let bundle = rowan.path + "/hazel.bundle"
        #expect(try export.finish().code == 0)
        try Data(export.bytes(.out)).write(to: URL(fileURLWithPath: bundle))
        try rowan.succeed("import", bundle)
        #expect(try rowan.succeed("fingerprint").hasSuffix("  complete\n"))
        let print = try rowan.json("fingerprint").first?["fingerprint"] as? String
        let home = try Home(opening: HomeLayout(directory: rowan.path))
        let store = try EntryStore(.file(home.layout.store), network: home.network, creation: .never)
        // So small that whatever may go goes.
        try store.keep(within: DiskBudget(bytes: 100_000)) { .max }
        try store.close()

        #expect(try rowan.succeed("fingerprint") == "\(print ?? "")  complete, but 2 texts gave way\n")
        let row = try #require(try rowan.json("fingerprint").first)
        #expect(row["complete"] as? Bool == false && row["dropped_bodies"] as? Int == 2)
        #expect(try rowan.succeed("status").contains(", 2 texts gave way\n"))
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
