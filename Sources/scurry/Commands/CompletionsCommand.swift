// scurry completions bash|zsh|fish

import ArgumentParser

struct CompletionsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print the completions for a shell.",
        usage: "scurry completions bash|zsh|fish",
        discussion: """
            Example:
              scurry completions bash > ~/.local/share/bash-completion/completions/scurry
            """
    )

    @Argument(help: ArgumentHelp("For which shell.", valueName: "bash|zsh|fish"))
    var shell: Shell

    @OptionGroup var common: CommonOptions

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var completions: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func run(on console: Console) throws {
        try console.out.write(Array((Scurry.completionScript(for: shell.completions) + "\n").utf8))
    }
}
