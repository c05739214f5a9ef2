internal import Entries
@testable internal import Sync

/// Every wire message: what is read is written so that it reads as the same.
enum MessageFuzz {
    static func run(_ input: inout FuzzInput) {
        let frame = Frame(type: input.byte(), body: input.all())
        guard let message = try? Message(frame) else { return }
        let written = message.frame
        guard let again = try? Message(written) else { broken("what was written cannot be read: \(message)") }
        if again != message { broken("what was written reads as something else: \(message)") }
        if again.frame != written { broken("the second writing differs: \(message)") }
    }
}
