internal import NIOCore

/// How long bytes may lie at the other host's door before the connection counts as gone (RFC 5482).
///
/// Without it, a laptop that changed its address hears of that only when nothing came for `idleTimeoutSeconds`, and the
/// system goes on repeating what it sent for a quarter of an hour.
enum Acknowledgement {
    #if os(Linux)
        /// `TCP_USER_TIMEOUT` of linux/tcp.h, in milliseconds.
        static let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 18))
        static let patience = ChannelOptions.Types.SocketOption.Value(
            TransportLimits.acknowledgementSeconds * 1_000
        )
    #else
        /// `TCP_RXT_CONNDROPTIME` of netinet/tcp.h, in seconds.
        static let option = ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: 0x80))
        static let patience = ChannelOptions.Types.SocketOption.Value(TransportLimits.acknowledgementSeconds)
    #endif
}
