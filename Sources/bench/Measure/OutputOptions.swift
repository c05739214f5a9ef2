import ArgumentParser
import Foundation

/// The output directory of a measurement that writes a page.
struct OutputOptions: ParsableArguments {
    @Option(help: "A directory for what is printed, as text and as JSON.")
    var output: String?

    /// - Throws: what the file system says.
    func write(_ text: String, as name: String) throws {
        guard let output else { return }
        let place = URL(fileURLWithPath: output, isDirectory: true).appendingPathComponent(name)
        try (text.hasSuffix("\n") ? text : text + "\n").write(to: place, atomically: true, encoding: .utf8)
    }
}

/// Numbers on the command line, with commas between them.
struct NumberList {
    let numbers: [Int]

    init(_ numbers: [Int]) {
        self.numbers = numbers
    }

    /// - Throws: `ValidationError` for a word that is no number above zero.
    @Sendable
    init(_ text: String) throws {
        numbers = text.split(separator: ",").map { Int($0) ?? 0 }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 > 0 }) else {
            throw ValidationError("'\(text)' is no list of numbers such as 10,1000")
        }
    }
}
