/// A label with a command to type; a command that fits on a line of its own is never wrapped.
enum CommandText {
    /// One line, or the label above the command.
    static func lines(_ label: SafeText, command: SafeText, width: Int) -> [SafeText] {
        let whole: SafeText = label + " " + command
        if whole.columns <= width { return [whole] }
        return Wrap.lines(label, width: width) + Wrap.lines(command, width: width)
    }
}
