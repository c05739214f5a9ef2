internal import Sodium
internal import Storage

extension Home {
    /// The channel key of a node that runs here: the home's own, unless another home may have it too, as long as the
    /// person has not said which one goes on. Of two nodes with one id each peer keeps one connection.
    ///
    /// Then the key is hashed from the home's own and from what tells this copy from others: it is the same at each
    /// start, and is kept nowhere. `id keep` brings the home's own back, `id restore` draws another.
    ///
    /// - Parameter store: the home's store, after `openStore` has looked where it is.
    /// - Returns: the key of this run.
    /// - Throws: `.store`, and what reading the key's file throws.
    func runningKey(in store: StoreReader) throws(HomeError) -> AgreementKey {
        let own = try KeyFile.readNodeKey(layout.nodeKey)
        let stop: SigningStop?
        do throws(StorageError) { stop = try store.notedStop() } catch { throw .store(error) }
        guard stop?.isOfTwoHomes == true, let file = try KeyFile.read(layout.nodeKey) else { return own }
        let facts = facts
        let parts = [
            facts.machine, facts.fileSystem, facts.inode.map { String($0) }, facts.birth.map { String($0) },
        ]
        var place = Array(parts.map { $0 ?? "-" }.joined(separator: " ").utf8)
        let secret = Blake2b.hash(.copy, SecretBytes(joining: [file, SecretBytes(moving: &place)]))
        guard let key = AgreementKey(secret: secret) else { preconditionFailure("a hash has 32 bytes") }
        return key
    }
}

extension HashTag {
    /// Of a node key, and the place of a copy of its home.
    fileprivate static let copy = HashTag("scurry/copy")
}
