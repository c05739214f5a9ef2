import Simulation
import Testing

@Suite struct TrialTests {
    @Test func aQuietNetworkIsGood() throws {
        var options = TrialOptions(seed: 1)
        options.nodes = 5
        options.hours = 1
        options.faults = []
        let verdict = try Trial(options).run()
        #expect(verdict.isGood, "\(verdict.lines)")
    }
}
