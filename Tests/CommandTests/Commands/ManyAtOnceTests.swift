import Foundation
import Testing

/// Commands that change the same file at the same time lose nothing of each other.
struct ManyAtOnceTests {
    private func atOnce(_ commands: [[String]], on home: TestHome) throws {
        let processes = try commands.map { try home.start($0) }
        for (command, process) in zip(commands, processes) {
            let ended = try process.finish()
            #expect(ended.code == 0, "\(command): \(ended.err)")
        }
    }

    @Test func `Whoever joins and leaves at once finds all of it in the peers file`() throws {
        let home = try TestHome(name: "hazel")
        let places = (1...12).map { "127.0.0.1:\($0)" }
        try atOnce(places.map { ["join", $0, "--trust"] }, on: home)
        #expect(Set(try home.json("peers").compactMap { $0["address"] as? String }) == Set(places))
        try atOnce(places.prefix(11).map { ["leave", $0] }, on: home)
        #expect(try home.json("peers").compactMap { $0["address"] as? String } == ["127.0.0.1:12"])
    }

    @Test func `Settings that are set at once are all set`() throws {
        let home = try TestHome(name: "hazel")
        let wished = ["log": "info", "dial": "off", "exchange": "off", "listen": ":0", "color": "never"]
        try atOnce(wished.map { ["config", $0.key, $0.value] }, on: home)
        for row in try home.json("config") {
            guard let key = row["id"] as? String, let value = wished[key] else { continue }
            #expect(row["value"] as? String == value, "\(key)")
        }
        try atOnce(wished.keys.map { ["config", "--unset", $0] }, on: home)
        #expect(try home.json("config").allSatisfy { $0["set"] as? Bool == false })
    }
}
