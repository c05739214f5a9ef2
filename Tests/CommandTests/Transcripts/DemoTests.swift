import Foundation
import Testing

struct DemoTests {
    @Test func `The demonstration ends with equal fingerprints and leaves nothing behind`() throws {
        let folder = try TemporaryFolder()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Demo/demo.sh").path
        let demo = Process()
        demo.executableURL = URL(fileURLWithPath: "/bin/bash")
        demo.arguments = [script]
        demo.environment = ScurryProgram.environment(
            home: folder.path,
            ["SCURRY": ScurryProgram.path, "TMPDIR": folder.path]
        )
        let pipe = Pipe()
        demo.standardOutput = pipe
        try demo.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        demo.waitUntilExit()
        #expect(demo.terminationStatus == 0, "\(text)")
        let prints = text.matches(of: #/(?m)^[ABC]  ([a-z2-7]{26})  complete$/#).map { String($0.1) }
        #expect(prints.count == 3)
        #expect(Set(prints).count == 1)
        // The headings of the three feeds at the end.
        #expect(text.matches(of: #/ peers?, synced /#).count == 3)
        #expect(!text.contains("syncing"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }
}
