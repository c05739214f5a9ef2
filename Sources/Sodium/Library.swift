internal import CSodium

/// Starts libsodium once for the process; everything in this module goes through it before the first call.
enum Library {
    /// `sodium_init`: it fails only where the system has no source of randomness, and then nothing may go on.
    private static let started: Bool = {
        guard sodium_init() >= 0 else { preconditionFailure("libsodium could not start: no source of randomness") }
        return true
    }()

    static func start() {
        _ = started
    }
}
