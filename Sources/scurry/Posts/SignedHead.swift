import Entries
import Sodium
import Storage

/// The signature that a post stands under, for a script that wants to check it: no post has one of its own, but its log has one
/// for everything up to a size (`protocol/log.md`, Head).
struct SignedHead {
    private let signed: (head: Head, device: DeviceID)?

    init(of log: LogID, in desk: ReadingDesk) throws(Failure) {
        signed = try Problems.naming { () throws(StorageError) in try desk.store.head(of: log) }
    }

    /// Null where none is held. Bytes are base32, as ids are.
    func add(to object: inout JSONObject) {
        object["device"] = .optional(signed?.device.description)
        object["head_size"] = signed.map { .unsigned($0.head.size) } ?? .null
        object["head_root"] = .optional(signed.map { Base32.encode($0.head.root.bytes) })
        object["signature"] = .optional(signed.map { Base32.encode($0.head.signature.bytes) })
    }
}
