import ArgumentParser
import Entries

/// A channel as somebody types it: `#cs193` or `CS193`.
struct ChannelArgument: ExpressibleByArgument, Hashable, Sendable {
    let channel: Channel

    init?(argument: String) {
        let name = argument.hasPrefix("#") ? argument.dropFirst() : argument[...]
        guard let channel = Channel(name.lowercased()) else { return nil }
        self.channel = channel
    }
}
