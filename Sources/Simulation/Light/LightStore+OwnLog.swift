package import Entries

/// The own log: how much of it has left this home, and whether it is signed on.
extension LightStore {
    package var published: UInt64 { own?.published ?? 0 }
    package var signing: OwnLogState.Signing { own?.signing ?? .allowed }

    /// Registers the own log, before anything is written to it.
    package func register(_ author: Author) {
        register(author.certificate)
    }

    package func register(_ certificate: SignedCertificate) {
        own = OwnLogState(log: certificate.log, size: own?.size ?? 0, published: own?.published ?? 0)
    }

    /// Raises the published size of the own log.
    package func note(published: UInt64) {
        guard let known = own else { return }
        own = OwnLogState(
            log: known.log,
            size: known.size,
            published: max(known.published, published),
            signing: known.signing
        )
    }

    /// The own log's state at a start: a judged log has its counted size.
    func begun(_ own: OwnLogState) -> OwnLogState {
        guard let log = logs[own.log] else { return own }
        return OwnLogState(
            log: own.log,
            size: log.isJudged ? log.size : own.size,
            published: own.published,
            signing: own.signing == .allowed && !log.isCarried ? .notCarried : own.signing
        )
    }

    /// Takes over what a batch changes of the own log.
    func takeSigning(_ batch: TakeBatch) {
        guard let own else { return }
        var published = max(own.published, batch.published ?? 0)
        if let stop = batch.stop { published = min(published, stop.published) }
        if let log = logs[own.log], log.standing.isComplete { published = max(published, log.size) }
        if batch.chunks.contains(where: { $0.chunk.log == own.log && $0.chunk.end > own.size }) {
            published = max(published, size(own.log))
        }
        self.own = OwnLogState(
            log: own.log,
            size: max(own.size, size(own.log)),
            published: published,
            signing: batch.stop == nil ? own.signing : .stopped
        )
    }
}
