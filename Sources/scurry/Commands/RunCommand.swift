// scurry run [--listen HOST:PORT] [--[no-]dial] [--[no-]exchange] [--[no-]discover] [--disk-budget SIZE] [--log LEVEL]

import ArgumentParser
import Entries
import Logging
import Transport

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Start the node; it runs until Ctrl-C.",
        usage: """
            scurry run [--listen HOST:PORT] [--no-dial] [--no-exchange] [--discover] [--disk-budget SIZE] [--log LEVEL]
            """,
        discussion: """
            Listens on port 7776 of every address. --listen takes HOST:PORT, :PORT or HOST; port 0 picks a free one, \
            which scurry status tells. What you may act on is logged on standard error. What is not given here is as \
            scurry config has it.

            Example:
              scurry run --listen :7776
            """
    )

    @Option(name: .long, help: ArgumentHelp("Where to listen.", valueName: "host:port"))
    var listen: String?

    @Flag(
        name: .long,
        inversion: .prefixedNo,
        exclusivity: .chooseLast,
        help: "Call the peers, or nobody: wait to be called."
    )
    var dial: Bool?

    @Flag(
        name: .long,
        inversion: .prefixedNo,
        exclusivity: .chooseLast,
        help: "Tell peers of each other, and call those that it hears of, or the listed ones alone."
    )
    var exchange: Bool?

    @Flag(
        name: .long,
        inversion: .prefixedNo,
        exclusivity: .chooseLast,
        help: "Find nodes on the local network, and let them find this one, or keep silent there."
    )
    var discover: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp("What the database may take on the disk: 500M, 2G, or none.", valueName: "size")
    )
    var diskBudget: String?

    @Option(name: .long, help: ArgumentHelp("What to log: error, warning, notice, info, debug.", valueName: "level"))
    var log: LogLevel?

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let (console, messages) = Console(common).queued()
        // Also when the node does not start: what it logged stands before its failure.
        defer { messages.finish() }
        let typed = try listen.map(Self.address)
        let home = try HomeDoor.open(console.environment)
        let settings = try Settings(home.layout)
        try settings.check(but: given)
        var options = NodeOptions(listen: try typed ?? Self.address(settings.value(.listen)))
        if !(dial ?? settings.isOn(.dial)) {
            options.dialling = .none
        } else if !(exchange ?? settings.isOn(.exchange)) {
            options.dialling = .listed
        }
        options.discovery = discover ?? settings.isOn(.discover) ? .on : .off
        options.carry = try CarrySetting.options(settings, home)
        options.budget = try BudgetSetting.budget(typed: diskBudget, settings)
        options.agent = "scurry/" + Version.text
        let level = log?.level ?? LogLevel(rawValue: settings.value(.log))?.level ?? .notice
        let log = Logger(label: "scurry") { _ in NodeLogHandler(console: console, logLevel: level) }
        Heap.keepSmall()
        let node: Node
        do throws(NodeError) {
            node = try await Node.open(home, options: options, log: log)
        } catch {
            throw NodeTerms.failure(error, on: home)
        }
        let watch = EndSignals { node.stop() }
        greet(node, on: console)
        await node.run()
        watch.end()
        if let path = await node.lostDatabase { throw Self.lost(path) }
        console.note("\(NodeLogHandler.time(on: console)) stopped")
    }

    /// The keys that the command line sets, which win over the settings file.
    private var given: Set<SettingKey> {
        let keys: [(SettingKey, Bool)] = [
            (.listen, listen != nil), (.dial, dial != nil), (.exchange, exchange != nil), (.discover, discover != nil),
            (.diskBudget, diskBudget != nil), (.log, log != nil), (.color, common.color != nil),
        ]
        return Set(keys.filter(\.1).map(\.0))
    }

    private func greet(_ node: Node, on console: Console) {
        let time = NodeLogHandler.time(on: console)
        RemoteHome.tell(node.home.layout, on: console)
        WallCheck.tell(node.home.layout, on: console)
        if (try? node.home.keys().isLocked) == true {
            console.note("\(time) the key of this device is locked: this node reads and relays; scurry unlock")
        }
        if let place = node.listening?.text {
            console.note("\(time) node \(node.id.description.prefix(8)) listens on \(place); Ctrl-C ends it")
        } else {
            console.note("\(time) node \(node.id.description.prefix(8)) runs; Ctrl-C ends it")
        }
    }

    /// The failure of a node whose database was taken away: nobody would have seen what it wrote.
    private static func lost(_ path: String) -> Failure {
        Failure(
            .failure,
            "\(SafeText(line: path)) was moved, removed or replaced while the node ran: it ended",
            hint: "scurry doctor says what is there now"
        )
    }

    private static func address(_ listen: String) throws(Failure) -> ListenAddress {
        do throws(PeerLineError) {
            return try ListenAddress(parsing: listen)
        } catch {
            throw Failure(
                .usage,
                "\(listen) is no address to listen on: \(ListenAddress.reason(error))",
                hint: "scurry run --listen 0.0.0.0:7776"
            )
        }
    }
}

extension LogLevel: ExpressibleByArgument {}
