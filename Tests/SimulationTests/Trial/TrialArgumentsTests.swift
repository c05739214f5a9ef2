import Foundation
import Testing

struct TrialArgumentsTests {
    @Test(
        arguments: [
            ("--nodes=0", "--nodes: 1 to 10,000"),
            ("--nodes=20000", "--nodes: 1 to 10,000"),
            ("--hours=0", "--hours: above 0, and at most 87,600, which are ten years"),
            ("--hours=-1", "--hours: above 0, and at most 87,600, which are ten years"),
            ("--hours=1e19", "--hours: above 0, and at most 87,600, which are ten years"),
            ("--hours=inf", "--hours: above 0, and at most 87,600, which are ten years"),
            ("--hours=nan", "--hours: above 0, and at most 87,600, which are ten years"),
            ("--eager-links=-1", "--eager-links: 0 or more"),
        ] as [(String, String)]
    )
    func `A trial of a size that there is not is refused, with the sizes that there are`(
        argument: String,
        words: String
    ) throws {
        for command in ["run", "soak"] {
            let run = try Program(command, "--store", "light", argument)
            #expect(run.errorLines().first == "Error: \(words)")
            run.process.waitUntilExit()
            #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 64)
        }
    }

    @Test(arguments: ["-1", "nan"])
    func `A series cannot last less than no time`(minutes: String) throws {
        let soak = try Program("soak", "--minutes=\(minutes)")
        #expect(soak.errorLines().first == "Error: --minutes: 0 or more")
        soak.process.waitUntilExit()
        #expect(soak.process.terminationStatus == 64)
    }
}
