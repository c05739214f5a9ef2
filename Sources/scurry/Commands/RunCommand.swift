// scurry run [--listen HOST:PORT] [--no-dial]

import ArgumentParser
import Entries
import Logging
import Transport

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Start the node; it runs until Ctrl-C.",
        usage: "scurry run [--listen HOST:PORT] [--no-dial]",
        discussion: """
            Listens on port 7776 of every address. --listen takes HOST:PORT, :PORT or HOST; port 0 picks a free one, \
            which scurry status tells. What you may act on is logged on standard error.

            Example:
              scurry run --listen :7776
            """
    )

    @Option(name: .long, help: ArgumentHelp("Where to listen.", valueName: "host:port"))
    var listen: String?

    @Flag(name: .long, help: "Call nobody: wait to be called.")
    var noDial = false

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let console = Console(common)
        var options = NodeOptions(listen: try address())
        options.dialling = noDial ? .none : .listedAndLearned
        options.agent = "scurry/" + Version.text
        let home = try HomeDoor.open(console.environment)
        let log = Logger(label: "scurry") { _ in NodeLogHandler(console: console) }
        let node: Node
        do throws(NodeError) {
            node = try await Node.open(home, options: options, log: log)
        } catch {
            throw NodeTerms.failure(error)
        }
        let watch = EndSignals { node.stop() }
        greet(node, on: console)
        await node.run()
        watch.end()
        console.note("\(console.clock.short(console.now)) stopped")
    }

    private func greet(_ node: Node, on console: Console) {
        let time = console.clock.short(console.now)
        if (try? node.home.keys().isLocked) == true {
            console.note("\(time) the key of this device is locked: this node reads and relays; scurry unlock")
        }
        if let place = node.listening?.text {
            console.note("\(time) node \(node.id.description.prefix(8)) listens on \(place); Ctrl-C ends it")
        } else {
            console.note("\(time) node \(node.id.description.prefix(8)) runs; Ctrl-C ends it")
        }
    }

    private func address() throws(Failure) -> ListenAddress {
        guard let listen else { return .standard }
        do throws(PeerLineError) {
            return try ListenAddress(parsing: listen)
        } catch {
            throw Failure(
                .usage,
                "\(listen) is no address to listen on: \(error.description)",
                hint: "scurry run --listen 0.0.0.0:7776"
            )
        }
    }
}
