package import Entries
internal import NIOCore
internal import Sodium
package import Sync

/// Finds out which node answers at an address by half a handshake: the other side proves its key, this side shows none
/// (`protocol/channel.md` §2).
package struct NodeProbe: Sendable {
    private let network: NetworkID
    private let key: AgreementKey
    private let secret: SecretBytes?

    /// The node's own key is never sent; it tells whether the other side is this node.
    package init(of home: Home) throws(HomeError) {
        network = home.network
        key = try home.keys().node
        secret = try home.secret()?.presharedKey(in: home.network)
    }

    package enum Outcome: Hashable, Sendable {
        case node(NodeID)
        /// This node itself.
        case itself
        /// The other side accepted and then broke the handshake: another network, or no node.
        case stranger
        /// The other side accepted and sent nothing until the timeout: a node that hangs, one of a private network
        /// whose secret this home lacks, or no node.
        case silent
        case unreachable(DialFailure)
    }

    /// Probes an address; takes at most `TransportLimits.connectTimeoutSeconds` plus
    /// `TransportLimits.probeAnswerSeconds`. To be called after `ProbeLoop.check`.
    package func ask(_ address: PeerAddress) async -> Outcome {
        switch await Dialer(group: ProbeLoop.group).dial(address) {
        case .failed(let failure): return .unreachable(failure)
        case .connected(let connection):
            let own = NodeID(raw: key.publicKey)
            // Expecting this node's own id refuses every other node before the third message, which would show this
            // side's key.
            let conversation = ProbeConversation(
                .initiator(in: network, as: key, ephemeral: .random(), expecting: own, secret: secret)
            )
            _ = connection.send(await conversation.start())
            let begun = SystemClock.monotonicMilliseconds
            let patience = connection.channel.eventLoop.scheduleTask(
                in: .seconds(TransportLimits.probeAnswerSeconds)
            ) { connection.abort() }
            await connection.run(
                received: { bytes in
                    if case .over = await conversation.take(bytes) { connection.abort() }
                },
                sent: { _ in }
            )
            patience.cancel()
            let waited = SystemClock.monotonicMilliseconds - begun
            let isOverdue = waited >= UInt64(TransportLimits.probeAnswerSeconds) * 1_000
            let outcome = await conversation.outcome
            return outcome == .stranger && isOverdue ? .silent : outcome
        }
    }
}

/// The first two messages of a handshake.
private actor ProbeConversation {
    private var channel: SecureChannel
    private(set) var outcome = NodeProbe.Outcome.stranger

    enum Progress {
        case waiting
        case over
    }

    init(_ channel: SecureChannel) {
        self.channel = channel
    }

    func start() -> [UInt8] { channel.start() }

    func take(_ bytes: [UInt8]) -> Progress {
        do throws(ChannelViolation) {
            guard try !channel.receive(bytes).isEmpty else { return .waiting }
            outcome = .itself
        } catch {
            if case .wrongNode(let found) = error { outcome = .node(found) }
        }
        return .over
    }
}
