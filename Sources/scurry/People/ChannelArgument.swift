import ArgumentParser
import Entries

/// A channel argument: `#cs193` or `CS193`.
struct ChannelArgument: Hashable, Sendable {
    let channel: Channel

    /// - Throws: a message with the rules of channel names.
    static func parse(_ typed: String) throws -> ChannelArgument {
        let name = typed.hasPrefix("#") ? typed.dropFirst() : typed[...]
        guard let channel = Channel(name.lowercased()) else {
            throw ValidationError("a channel's name has 1 to \(PayloadLimits.channelBytes) of a-z, 0-9 and -")
        }
        return ChannelArgument(channel: channel)
    }
}
