import Foundation
import Testing

/// The measuring program, beside the one that is tested, refuses numbers that no measurement can have.
struct BenchOptionTests {
    private static let path = URL(fileURLWithPath: ScurryProgram.path).deletingLastPathComponent()
        .appendingPathComponent("bench").path

    @Test(
        .enabled(if: FileManager.default.isExecutableFile(atPath: BenchOptionTests.path), "bench is not built here"),
        arguments: [
            ["live", "--count=-1"], ["live", "--rate", "0"], ["limits", "--writers", "0"], ["limits", "--posts=-1"],
            ["first-sync", "--bytes=-1"], ["feed", "--starts=-1"], ["slow-reader", "--peers=-1"],
            ["flood", "--connections=-1"], ["flood", "--rate", "0"], ["year", "--people", "0"],
            ["sustained", "--seconds=-1"], ["window", "--posts", "x"], ["catch-up", "--new", "9999999999"],
        ]
    )
    func `A number out of bounds is a usage error`(arguments: [String]) throws {
        let folder = try ShortFolder()
        let process = try Spawned(
            arguments,
            environment: ScurryProgram.environment(home: folder.file("home")),
            program: Self.path
        )
        process.closeInput()
        let ended = try process.finish()
        #expect(ended.code == 64, "\(ended)")
        #expect(ended.err.contains("it takes a whole number from "), "\(ended)")
    }
}
