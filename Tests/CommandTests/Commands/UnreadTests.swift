import Foundation
import Testing

/// What counts as read: what was on a page, and no more.
struct UnreadTests {
    /// Somebody to whom nine posts of another came.
    private func reader() throws -> TestHome {
        try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            for number in 1...9 { try hazel.succeed("post", "post \(number)", "-c", number < 9 ? "a" : "b") }
        }.1
    }

    private func lastLine(_ page: String) throws -> Substring {
        try #require(page.split(separator: "\n").last)
    }

    @Test func `What was on a page is read, and what stands behind it is not`() throws {
        let rowan = try reader()
        for (unread, new) in [(9, 2), (7, 0)] {
            let page = try rowan.succeed("feed", "-n", "2")
            #expect(page.contains("\(unread) unread") && page.components(separatedBy: "• ").count == new + 1)
            #expect(try lastLine(page).hasPrefix(" 7 more unread: scurry feed -n 2 --before "), "\(page)")
        }
        #expect(try rowan.succeed().contains("2 more unread"), "five of seven")
        #expect(try rowan.succeed("feed").components(separatedBy: "• ").count == 8)
        #expect(!(try rowan.succeed("feed")).contains("unread"))
    }

    @Test func `What comes later is unread, whatever stood there before`() throws {
        let (hazel, rowan) = try TwoHomes.meet("hazel", "rowan") { hazel, _ in
            for number in 1...6 { try hazel.succeed("post", "post \(number)") }
        }
        #expect(try lastLine(rowan.succeed("feed", "-n", "2")).hasPrefix(" 4 more unread: "))
        try hazel.succeed("post", "later")
        let file = hazel.path + "/later.scurry"
        let export = try hazel.start(["export"])
        #expect(try export.finish().code == 0)
        try Data(export.bytes(.out)).write(to: URL(fileURLWithPath: file))
        try rowan.succeed("import", file)
        let page = try rowan.succeed("feed", "-n", "2")
        #expect(page.contains("5 unread") && page.components(separatedBy: "• ").count == 2, "\(page)")
        #expect(try rowan.succeed("feed", "-n", "4").contains("4 unread"))
        #expect(try rowan.succeed("feed").contains("3 unread"))
        #expect(!(try rowan.succeed("feed")).contains("unread"))
    }

    @Test func `A page of a time counts what is unread of that time, and marks nothing as read`() throws {
        let rowan = try reader()
        let time = try #require(try rowan.json("feed").dropFirst(3).first?["time"] as? String)
        for _ in 1...2 {
            let page = try rowan.succeed("feed", "--since", time)
            #expect(page.contains(" 4 unread\n") && page.components(separatedBy: "• ").count == 5, "\(page)")
            let short = try rowan.run(["feed", "--since", time, "-n", "3"], ["COLUMNS": "120"]).out
            #expect(short.contains(" 4 unread\n") && short.components(separatedBy: "• ").count == 4, "\(short)")
            #expect(try lastLine(short).hasPrefix(" 1 more unread: scurry feed --since \(time) -n 3 --before "))
        }
        let none = try rowan.succeed("feed", "--since", "2099-01-01")
        #expect(none.hasPrefix(" Nothing new."), "\(none)")
        #expect(try rowan.succeed("feed").contains(" 9 unread\n"))
        #expect(!(try rowan.succeed("feed", "--since", time)).contains("unread"))
    }

    @Test func `Whoever goes on to the last unread one has read all`() throws {
        let rowan = try reader()
        var line = try lastLine(rowan.succeed("feed", "-n", "4"))
        for left in [5, 1] {
            #expect(line.hasPrefix(" \(left) more unread: scurry "), "\(line)")
            #expect(try rowan.succeed("feed", "-n", "4").contains("\(left) unread"))
            let command = try #require(line.split(separator: ": scurry ").last).split(separator: " ").map(String.init)
            let page = try rowan.run(command)
            #expect(page.out.components(separatedBy: "• ").count == min(4, left) + 1)
            line = try lastLine(page.out)
        }
        #expect(line == " nothing older")
        #expect(!(try rowan.succeed("feed")).contains("unread"))
    }

    @Test func `Who does not want to see it all says so`() throws {
        let rowan = try reader()
        #expect(try lastLine(rowan.succeed("feed", "-n", "2", "--read")).hasPrefix(" older: "))
        #expect(!(try rowan.succeed("feed")).contains("unread"))
    }

    @Test func `A live tail that began with a part of it leaves the rest unread`() throws {
        let rowan = try reader()
        let tail = try rowan.start(["feed", "-n", "2", "--follow"])
        try tail.wait(for: "post 9")
        try rowan.post("one of mine", "-c", "a")
        try tail.wait(for: "one of mine")
        tail.closeOutput()
        _ = try tail.exitCode()
        #expect(try rowan.succeed("feed").contains("7 unread"))
    }

    @Test func `A script gets what is unread as well, and looking at it marks nothing as read`() throws {
        let rowan = try reader()
        try rowan.post("one of mine", "-c", "a")
        for _ in 1...2 {
            let rows = try rowan.json("feed", "-n", "100")
            let unread = rows.filter { $0["unread"] as? Bool == true }
            #expect(unread.count == 9 && rows.count > 9)
            #expect(unread.allSatisfy { $0["own"] as? Bool == false })
            #expect(try rowan.json().first?["unread"] as? Int == 9)
        }
        try rowan.succeed("feed")
        #expect(try rowan.json("feed", "-n", "100").allSatisfy { $0["unread"] as? Bool == false })
        #expect(try rowan.json().first?["unread"] as? Int == 0)
        let hub = try TestHome()
        try hub.succeed("init", "--hub")
        #expect(try hub.json().first?["unread"] is NSNull)
    }

    @Test func `The program alone shows what is unread of what feed shows`() throws {
        let rowan = try reader()
        try rowan.succeed("channel", "join", "b")
        #expect(try rowan.succeed().contains("post 9"))
        try rowan.succeed("feed")
        let alone = try rowan.succeed()
        #expect(!alone.contains("post 8") && alone.contains("Nothing new."), "\(alone)")
        try rowan.succeed("channel", "use", "nosuch")
        #expect(try rowan.succeed().contains("No posts in #nosuch yet.\n next: scurry feed --all"))
        try rowan.succeed("channel", "use", "a")
        #expect(try rowan.succeed().contains("post 8"))
        try rowan.succeed("feed")
        #expect(!(try rowan.succeed()).contains("post 8"))
    }

    @Test func `Where JSON stops is told beside it`() throws {
        let rowan = try reader()
        let page = try rowan.run("feed", "-n", "4", "--json")
        #expect(page.out.split(separator: "\n").count == 4)
        #expect(page.err.contains("older posts follow: scurry feed -n 4 --json --before "), "\(page.err)")
        let command = try #require(page.err.split(separator: ": scurry ").last).split(separator: " ")
        let rest = try rowan.run(command.map { String($0).trimmingCharacters(in: .newlines) })
        #expect(rest.out.split(separator: "\n").count == 4)
        #expect(try rowan.run("feed", "--json").err.isEmpty)
    }

    @Test func `Whoever joined a channel still finds every post`() throws {
        let rowan = try reader()
        try rowan.succeed("channel", "join", "b")
        let told = try rowan.told("post", "in no channel")
        #expect(told.contains(" in no channel, so scurry feed --all shows it;"), "\(told)")
        let joined = try rowan.succeed("feed")
        #expect(joined.contains("channels you joined") && !joined.contains("in no channel"))
        #expect(try lastLine(joined) == " every channel: scurry feed --all")
        let all = try rowan.succeed("feed", "--all", "-n", "3")
        #expect(all.contains(" everybody ") && all.contains("in no channel") && all.contains("9 unread"), "\(all)")
        #expect(try lastLine(all).contains("more unread: scurry feed --all -n 3 --before "))
        #expect(try rowan.json("feed", "--all").count == 10)
        expectFailure(
            try rowan.run("feed", "--all", "-c", "b"),
            64,
            "--all and -c exclude each other",
            hint: "scurry feed -h"
        )
    }
}
