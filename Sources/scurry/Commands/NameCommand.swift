// scurry name NAME [--json]

import ArgumentParser
import Entries

struct NameCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Change what people call you.",
        usage: "scurry name NAME [--json]",
        discussion: """
            The tag behind the name stays: it is the beginning of your id. Others see the new name once it reaches them, on \
            your old posts as well.

            Example:
              scurry name "hazel of the library"
            """
    )

    @Argument(help: ArgumentHelp("The new name.", valueName: "name"))
    var name: String

    @OptionGroup var reading: ReadingOptions

    var common: CommonOptions { reading.common }

    func run(on console: Console) throws {
        if let fault = NameRule.fault(in: name) {
            throw Failure(.usage, fault.explanation, hint: "scurry name hazel")
        }
        let desk = try ReadingDesk(console)
        if let own = desk.own, desk.book[own].name == name {
            let text: SafeText = "you are \(desk.book[own].shown) already"
            return try Scribe.nothing(text, about: .person(own), reading.form, console)
        }
        let writer = try Scribe(desk: desk, console: console, form: reading.form)
        let payload = try Composer.payload { () throws(PayloadError) in
            .profile(try Profile(salt: .fresh(), name: name))
        }
        let outcome = try writer.write(payload)
        let fresh = try ReadingDesk(console)
        let shown = fresh.own.map { fresh.book[$0].shown } ?? SafeText(name: name)
        try writer.say("you are \(shown)", outcome, about: fresh.own.map { .person($0) })
    }
}
