import Entries
import Sodium
import Storage

/// The signed head that covers a post, for a script that verifies it: a post has no signature of its own, but its log
/// has one for everything up to a size (`protocol/log.md` §5).
struct SignedHead {
    private let signed: (head: Head, device: DeviceID)?

    init(of log: LogID, in desk: ReadingDesk) throws(Failure) {
        signed = try Problems.naming { () throws(StorageError) in try desk.store.head(of: log) }
    }

    /// Adds the head's fields, null if no head is held; bytes are in base32, as ids are.
    func add(to object: inout JSONObject) {
        object["device"] = .optional(signed?.device.description)
        object["head_size"] = signed.map { .unsigned($0.head.size) } ?? .null
        object["head_root"] = .optional(signed.map { Base32.encode($0.head.root.bytes) })
        object["signature"] = .optional(signed.map { Base32.encode($0.head.signature.bytes) })
    }
}
