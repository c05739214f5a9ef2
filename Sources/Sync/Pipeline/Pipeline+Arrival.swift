import Entries

extension Pipeline {
    /// A chunk that is not verified yet.
    struct Arrival {
        let session: SessionID
        let node: NodeID
        let chunk: UnverifiedChunk
        /// Bytes of the session's credit, given back once the chunk is stored or refused.
        let cost: UInt64
        let kind: Kind
        /// The sender had the entries before the connection, and pushes them to this node as it resumes
        /// (`protocol/node.md` §5).
        var isListed = false
        /// No person listed the sender here.
        var isStrangers = false
        /// It goes ahead of history.
        var isLive = false
        /// Pushed by an unlisted peer, and waiting in the bulk lane: the log may be asked of others meanwhile.
        var isIdle = false
        /// It comes at the rate at which people write, as far as this node can tell, and is pushed on.
        var isNews = false

        enum Kind: Hashable {
            /// The next part of an answer, and whether it must have the certificate.
            case answer(RangeWant.CertificateWish)
            case push
            /// The next part of a gap that the session was asked for.
            case gap
            /// The proof of the session's claim about the own log, to be verified over this range.
            case proof(LogRange)
            /// A substitute for the entries behind a gap.
            case substitute(Substitute)

            /// Where the store puts the entries.
            var position: TakeBatch.SourcedChunk.Position {
                switch self {
                case .substitute: .inPlace
                case .answer, .push, .gap, .proof: .next
                }
            }

            /// Whether it is verified over something else than the stored log.
            var isAlone: Bool {
                switch self {
                case .proof, .substitute: true
                case .answer, .push, .gap: false
                }
            }
        }
    }
}
