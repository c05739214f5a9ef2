package import Entries
package import Sodium
package import Storage

/// What a simulated node has on its disk: the real database in files, or a light one in memory.
package protocol TrialHome: HeldStore {
    /// Closes in good order.
    func close() throws
    /// The process is gone; everything that was committed is there.
    func kill() throws
    /// The power is gone: `share` (0 to 1) of what was committed and not synced is there. Nothing of it in a light home.
    func cutPower(keeping share: Double) throws
    /// Keeps a copy of the database as it is now; the one before is forgotten.
    func backUp() throws
    /// Puts the copy in the place of the database, which is closed; false if there is none.
    func restoreBackup(_ trace: RestoredTrace) throws -> Bool
    var hasBackup: Bool { get }
    /// What a node would find if it began now; the home is open.
    func state() throws -> StoreState
    /// Whether the disk takes anything.
    func setRoom(_ room: DiskRoom) throws
    /// The log of which nothing that is stored can be read; nil: all can. As long as the process lives.
    var damaged: LogID? { get set }
    /// Removes everything.
    func remove()

    func register(_ device: Device) throws
    /// Whose key lies here; nil on a hub.
    var device: Device? { get }
    /// Where it is, as the home sees it: what a restored copy differs in.
    var facts: HomeFacts { get }
    func append(_ payload: Payload, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    func delete(_ post: EntryID, by device: Device, at now: UInt64, _ publication: EntryStore.Publication) throws
        -> OwnAppend
    func strayEdits() throws -> [EntryID]
    /// A new device of the same person writes here from now on.
    func replaceLog(by device: Device, at now: UInt64) throws
    /// The person ends a log, or (nil) the account; nil if this home does not have so much of the log.
    func end(_ log: LogID?, keeping: EntryStore.Keeping, of device: Device, at now: UInt64) throws
        -> (settlement: Settlement, report: TakeReport)?
    func signingStop() throws -> SigningStop?
    /// What people read; nil: nobody can.
    var reader: StoreReader? { get }
    /// Every file that may hold words of somebody; nil: nothing is in files.
    var files: [String]? { get }
}

/// Whether a home can see that it is an older copy.
package enum RestoredTrace {
    /// The files are others than those that were there, as the system names them.
    case seen
    /// All is as it was, to the last inode: a machine was put back to a snapshot.
    case unseen
}

/// One device of a person: its keys, and what the person's root key says of it.
package struct Device: Sendable {
    package let person: Int
    /// The person's root key: what the recovery words are.
    package let root: SigningKey
    package let key: SigningKey
    package let certificate: SignedCertificate

    package var log: LogID { certificate.log }
    package var identity: IdentityID { certificate.certificate.identity }

    /// Everything follows from the seed and the numbers.
    package init(seed: UInt64, person: Int, number: Int, serial: UInt64, network: NetworkID) {
        self.person = person
        root = Self.key(seed, "root \(person)")
        key = Self.key(seed, "device \(person) \(number)")
        certificate = SignedCertificate(
            signing: Certificate(
                network: network,
                identity: IdentityID(raw: root.publicKey),
                device: DeviceID(raw: key.publicKey),
                sealingKey: Author.bytes(seed, "sealing \(person)"),
                serial: serial
            ),
            with: root
        )
    }

    private static func key(_ seed: UInt64, _ purpose: String) -> SigningKey {
        var bytes = Author.bytes(seed, purpose).bytes
        guard let key = SigningKey(seed: SecretBytes(moving: &bytes)) else { preconditionFailure("32 bytes") }
        return key
    }
}
