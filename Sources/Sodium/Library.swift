internal import CSodium

/// Starts libsodium once for the process.
///
/// Called before guarded memory, random bytes, X25519 and Ed25519 verification; everything that takes a `SecretBytes`
/// is behind such a call. Plain hashing, comparing and wiping work without it.
enum Library {
    /// `sodium_init`; traps if it fails, which it does only without a source of randomness.
    private static let started: Bool = {
        guard sodium_init() >= 0 else { preconditionFailure("libsodium could not start: no source of randomness") }
        return true
    }()

    static func start() {
        _ = started
    }
}
