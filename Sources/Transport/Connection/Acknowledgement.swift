internal import NIOCore

/// Socket option: the time that sent bytes may stay unacknowledged before the connection is dropped (TCP user timeout,
/// RFC 5482).
///
/// Without it, a laptop whose address changed notices only after `idleTimeoutSeconds` of silence, and the system goes
/// on retransmitting for a quarter of an hour.
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
