import ArgumentParser

/// Options of every command.
struct CommonOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    var color: Look.ColourChoice?

    @Flag(name: .long, help: "Never ask a question.")
    var noInput = false
}

/// Options of every command that prints data: what it reads, or the id of what it wrote.
struct ReadingOptions: ParsableArguments {
    @Flag(name: .long, help: "JSON Lines: one object a line.")
    var json = false

    @OptionGroup var common: CommonOptions

    var form: Form { json ? .json : .text }

    enum Form: Sendable { case text, json }
}

extension Look.ColourChoice: ExpressibleByArgument {}
