import Entries

extension Pipeline {
    /// A chunk that nobody has looked at yet.
    struct Arrival {
        let session: SessionID
        let node: NodeID
        let chunk: UnverifiedChunk
        /// Bytes of the session's credit that are free again once this is stored or refused.
        let cost: UInt64
        let kind: Kind
        /// Its sender had it before the connection, and brings it to this node, which comes back (`protocol/sync.md §6`).
        var isListed = false
        /// Nobody here listed its sender.
        var isStrangers = false
        /// It goes before others' history.
        var isLive = false
        /// A stranger pushed it, and it waits behind history: the log may be asked of others meanwhile.
        var isIdle = false
        /// It comes at the rate at which people write, as far as this node can tell: it is passed on as it came.
        var isNews = false

        enum Kind: Hashable {
            /// The next part of what the session was asked for, and whether it had to bring the certificate.
            case answer(RangeWant.CertificateWish)
            case push
            /// The next part of what was left out, which the session was asked for.
            case gap
            /// What the session claimed to have of the own log, to be checked over this range.
            case proof(LogRange)
            /// What the session showed so that what lies behind a gap gives way to it.
            case substitute(Substitute)

            /// Where the store puts it.
            var position: TakeBatch.SourcedChunk.Position {
                switch self {
                case .substitute: .inPlace
                case .answer, .push, .gap, .proof: .next
                }
            }

            var isInPlace: Bool { position == .inPlace }

            /// Checked over something else than what is stored of the log.
            var isAlone: Bool {
                switch self {
                case .proof, .substitute: true
                case .answer, .push, .gap: false
                }
            }
        }
    }

    struct Verifying {
        let id: BatchID
        /// In the shape of the batch's runs.
        let arrivals: [[Arrival]]
        var failures = 0
    }
}
