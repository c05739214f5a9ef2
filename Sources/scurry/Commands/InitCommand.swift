// scurry init [--name N] [--network NAME] [--secret-file FILE] [--words-to FILE] [--hub]

import ArgumentParser
import Entries
import Storage
import Transport

struct InitCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make an identity and a home for it, offline.",
        usage: "scurry init [--name N] [--network NAME] [--secret-file FILE] [--words-to FILE] [--hub]",
        discussion: """
            Shows twelve recovery words, once. They are the only way to cut off a stolen device and to come back on a \
            new machine; nobody can make them again. On a terminal two of them are asked back. In a script --words-to \
            writes them into a new file that only you can read.

            --secret-file makes it a home of a private network: only nodes with the same secret talk to each other, and \
            nobody else learns that they are there. The secret is the file's content, 16 bytes or more, or an invite in \
            it, which names the network, too.

            The home is SCURRY_HOME, or ~/.config/scurry and ~/.local/share/scurry. A directory that holds other files \
            and is open to others is refused.

            Example:
              scurry init --name hazel
            """
    )

    @Option(name: .long, help: ArgumentHelp("What people call you; asked on a terminal.", valueName: "n"))
    var name: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Which network; for ever. (default: the invite's, else campus)", valueName: "name")
    )
    var network: String?

    @Option(name: .long, help: ArgumentHelp("The secret of a private network, for ever; mode 0600.", valueName: "file"))
    var secretFile: String?

    @Option(name: .long, help: ArgumentHelp("Write the recovery words into this new file.", valueName: "file"))
    var wordsTo: String?

    @Flag(name: .long, help: "A node without a person: it only relays.")
    var hub = false

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if hub, name != nil { throw ValidationError("a hub has no name: --hub and --name exclude each other") }
        if hub, wordsTo != nil { throw ValidationError("a hub has no words: --hub and --words-to exclude each other") }
    }

    func run(on console: Console) throws {
        let layout = try HomeDoor.layout(console.environment)
        // Checked before the person is asked for a name, and before anything is said of the directory's permissions.
        try Problems.naming { () throws(HomeError) in try layout.checkVacancy() }
        if try HomeDoor.openIfMade(console.environment) != nil { throw Problems.failure(HomeError.exists(layout.data)) }
        let found = try secretFile.map { path throws(Failure) in
            try SecretFile(path: path).secret(of: self.network, command: typed)
        }
        let network = found?.network ?? self.network ?? Home.usualNetwork
        let secret = found?.secret
        guard !hub else {
            let home = try make(layout, network, secret, .hub)
            console.tell("made a hub for the \(home.networkTerm) in \(SafeText(line: layout.data))")
            console.tell("next: scurry run")
            RemoteHome.tell(layout, on: console)
            return
        }
        let name = try chosenName(on: console)
        let sheet = WordSheet(file: wordsTo, console: console)
        let home = try make(layout, network, secret, .person { words in try sheet.hand(over: words.words) })
        try introduce(name, home, on: console)
        RemoteHome.tell(layout, on: console)
    }

    /// The command with its options, but for the network's; for hints.
    private var typed: SafeText {
        var command: SafeText = hub ? "scurry init --hub" : "scurry init"
        if let name { command = "\(command) \(ShellWord.option("--name", name))" }
        if let wordsTo { command = "\(command) \(ShellWord.option("--words-to", wordsTo))" }
        return command
    }

    private func make(
        _ layout: HomeLayout,
        _ network: String,
        _ secret: NetworkSecret?,
        _ newcomer: Newcomer
    ) throws -> Home {
        do {
            return try Home.create(at: layout, network: network, secret: secret, for: newcomer)
        } catch let error as HomeError {
            throw Problems.failure(error)
        } catch let error as SystemError {
            throw Problems.failure(HomeError.system(error))
        }
    }

    /// Writes the name into the new log, as its first entry.
    private func introduce(_ name: String, _ home: Home, on console: Console) throws {
        let desk = try ReadingDesk(console)
        let payload = try Composer.payload { () throws(PayloadError) in
            .profile(try Profile(salt: .fresh(), name: name))
        }
        _ = try Scribe(desk: desk, console: console).write(payload)
        let fresh = try ReadingDesk(console)
        let entry = fresh.own.map { fresh.book[$0].shown } ?? SafeText(name: name)
        console.tell("You are \(entry) on the \(home.networkTerm).")
        console.tell("next: scurry post \"Hello, campus\"; scurry run; scurry join HOST:7776")
    }

    private func chosenName(on console: Console) throws -> String {
        if let name {
            if let fault = NameRule.fault(in: name) { throw InitCommand.refusal(fault) }
            return name
        }
        guard console.asking == .allowed else {
            throw Failure(.usage, "a name is needed where nobody can be asked", hint: "scurry init --name NAME")
        }
        let usual = console.environment["USER"].flatMap { NameRule.fault(in: $0) == nil ? $0 : nil }
        let question: SafeText =
            usual.map { "What should people call you? [\($0)] " } ?? "What should people call you? "
        while true {
            guard let answer = Question.line(question, on: console) else {
                throw Failure(.usage, "no name was given", hint: "scurry init --name NAME")
            }
            let typed = answer.split(separator: " ").joined(separator: " ")
            let name = typed.isEmpty ? usual ?? "" : typed
            guard let fault = NameRule.fault(in: name) else { return name }
            console.tell(fault.explanation)
        }
    }

    private static func refusal(_ fault: NameRule.Fault) -> Failure {
        Failure(.usage, fault.explanation, hint: "scurry init --name hazel")
    }
}

extension Home {
    /// The network where neither an option nor an invite names one.
    static let usualNetwork = "campus"

    /// `network campus`, `private network lab`
    var networkTerm: SafeText {
        switch access {
        case .open: "network \(networkName)"
        case .withSecret: "private network \(networkName)"
        }
    }
}
