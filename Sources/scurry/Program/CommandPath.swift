import ArgumentParser

/// The command that was typed, and its full name.
struct CommandPath {
    private(set) var command: any ParsableCommand.Type = Scurry.self
    /// `scurry channel join`
    private(set) var text = "scurry"
    /// A word in the place of a command that names none.
    private(set) var stranger: String?

    /// Reads the words up to the first option or argument.
    init(_ arguments: [String]) {
        for word in arguments where !(text == "scurry" && word == "help") {
            if command.configuration.subcommands.isEmpty || word.hasPrefix("-") { return }
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
                stranger = word
                return
            }
            command = next
            text += " " + word
        }
    }

    /// The failure for an unknown command; nil if there is none.
    var mistake: Failure? {
        guard let stranger else { return nil }
        if UsageProblem.isInvite(stranger) {
            // It may hold the secret of a network, and is not repeated.
            return Failure(.usage, "an invite is no command", hint: "scurry join - < FILE, with the invite in FILE")
        }
        let names = command.configuration.subcommands.map { $0._commandName }
        let nearest =
            text == "scurry"
            ? NearestCommand.instead(of: stranger, among: names) : NearestCommand.within(stranger, among: names)
        return Failure(
            .usage,
            text == "scurry" ? "there is no command \(stranger)" : "there is no command \(stranger) in \(text)",
            hint: nearest.map { "did you mean: \(text) \($0)" } ?? "\(text) -h"
        )
    }
}
