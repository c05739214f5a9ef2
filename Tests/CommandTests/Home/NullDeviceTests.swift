import Foundation
import Testing

/// `/dev/null` in the place of a file that people edit: the usual way to say that it is to hold nothing.
struct NullDeviceTests {
    private func link(_ name: String, of home: TestHome, to target: String) throws {
        let path = home.path + "/" + name
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test func `Peers and settings that are the null device are none, and stop nothing`() throws {
        let home = try TestHome(name: "hazel")
        for name in ["peers", "config"] { try link(name, of: home, to: "/dev/null") }
        let node = try TestNode(home)
        try home.post("while it runs")
        #expect(try home.json("peers").isEmpty)
        #expect(try node.stop() == 0)
        try home.post("alone")
        try home.succeed("config")
        try home.succeed("status")
        try home.succeed("backup", home.folder.file("backup"))
        #expect(try home.texts().count == 2)
    }

    @Test(
        .enabled(if: SpareNullDevice.canBeMade, "no device can be made here"),
        arguments: [("peers", ["join", "--trust", "oak.example.edu:7776"]), ("config", ["config", "dial", "on"])]
    )
    func `Nothing is written to the null device, and it stays what it is`(name: String, command: [String]) throws {
        let home = try TestHome(name: "hazel")
        let path = home.path + "/" + name
        let device = try #require(SpareNullDevice.path(in: home.folder))
        try link(name, of: home, to: device)
        expectFailure(
            try home.run(command),
            1,
            "\(path) is not a file",
            hint: "ls -ld \(path) shows what is there instead"
        )
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == device)
        let type = try FileManager.default.attributesOfItem(atPath: device)[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test func `Another device is no file`() throws {
        let home = try TestHome(name: "hazel")
        for name in ["peers", "config"] {
            try link(name, of: home, to: "/dev/zero")
            let ended = try home.run(name)
            #expect(ended.code == 1 && ended.err.contains("\(home.path)/\(name) is not a file\n"), "\(ended.err)")
        }
    }
}
