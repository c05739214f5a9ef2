import Foundation

/// One message of the campus network: a line `from to unix-seconds` of `CollegeMsg.txt`.
struct CampusMessage: Sendable {
    let sender: Int
    let receiver: Int
    let seconds: UInt64

    static func load(_ path: String) throws -> [CampusMessage] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            let fields = line.split(separator: " ")
            guard fields.count == 3, let sender = Int(fields[0]), let receiver = Int(fields[1]),
                let seconds = UInt64(fields[2])
            else { throw BenchError("not a message: \(line)") }
            return CampusMessage(sender: sender, receiver: receiver, seconds: seconds)
        }
    }
}

/// An error that ends a measurement early.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
