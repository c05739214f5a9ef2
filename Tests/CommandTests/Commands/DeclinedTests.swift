import Testing

/// A no at a question.
struct DeclinedTests {
    @Test func `Who says no is told so in a line, and not how to force it`() throws {
        let home = try TestHome(name: "hazel")
        let gone = try TestNode(TestHome(name: "rowan"))
        let place = try #require(try gone.address().split(separator: "@").last).description
        #expect(try gone.stop() == 0)
        for (command, said) in [(["lock"], "nothing was locked"), (["join", place], "nothing was added")] {
            let process = try home.start(command, streams: .terminal(columns: 200))
            try process.wait(for: "[y/N] ")
            process.send("n\r")
            let ended = try process.finish()
            #expect(ended.code == 7)
            #expect(ended.out.contains("\r\n\(said)\r\n"), "\(ended.out)")
            #expect(!ended.out.contains("error:") && !ended.out.contains("hint:"), "\(ended.out)")
        }
    }
}
