// scurry doctor [--json]

import ArgumentParser
import Transport

struct DoctorCommand: WaitingCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out what is wrong with this home, its node, or the way to its peers.",
        usage: "scurry doctor [--json]",
        discussion: """
            Looks at files, disk, database, clock, node, port and service, calls every listed peer once, and where \
            discover is on the local network: one line each, and what to do. Nothing is changed. Exit code 1 if something is a problem.

            Example:
              scurry doctor
            """
    )

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    // Places are tried by making something there: it is removed again, so nothing is left changed.
    func run(on console: Console) async throws {
        let layout = try HomeDoor.layout(console.environment)
        var problems = 0
        var help: SafeText?
        let say = { (findings: [Finding]) in
            for finding in findings {
                if finding.state == .problem {
                    problems += 1
                    help = help ?? finding.help
                }
                switch reading.form {
                case .json: try console.out.write(finding.object)
                case .text: try console.out.write(finding.lines(console.out.look))
                }
            }
            // Peers may take seconds: the findings so far are printed first.
            try console.out.flush()
        }
        let home: Home
        do throws(Failure) {
            home = try HomeDoor.open(console.environment)
        } catch {
            try say([.problem("home", error)])
            throw error
        }
        layout.removeStaleTrials()
        let examination = HomeExamination(layout: layout, now: console.now, form: reading.form)
        try say(examination.files())
        let settings = try? Settings(layout)
        let glance = NodeGlance(of: home)
        try say(examination.database(of: home, glance.answer))
        let node = NodeExamination(
            home: home,
            settings: settings,
            glance: glance,
            environment: console.environment
        )
        try say([node.node(), node.writing()].compactMap(\.self))
        if let lack = Self.lackOfFiles {
            // Nobody can be called.
            try say([lack, node.service()])
        } else {
            var probe: NodeProbe?
            do throws(HomeError) {
                probe = try NodeProbe(of: home)
            } catch {
                try say(Self.keys(error))
            }
            if let probe { try say([await node.port(probe)].compactMap(\.self)) }
            try say([node.service()])
            try say(await NeighbourExamination(home: home, settings: settings, glance: glance).findings())
            try say(await PeerExamination(home: home, probe: probe, glance: glance).findings())
        }
        guard problems > 0 else { return }
        throw Failure(.failure, Amount.of(problems, "problem", "problems"), hint: help)
    }

    /// The finding where fewer files may be open at once than a node needs; nil: there are enough.
    private static var lackOfFiles: Finding? {
        do throws(NodeError) {
            try ProbeLoop.check()
            return nil
        } catch {
            return .problem("limit", NodeTerms.failure(error))
        }
    }

    /// Why no peer can be called; files that are open to others were reported with the files.
    private static func keys(_ error: HomeError) -> [Finding] {
        switch error {
        case .exposed, .foreignOwner: []
        default: [.problem("keys", Problems.failure(error))]
        }
    }
}
