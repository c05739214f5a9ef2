internal import Storage

// Faults of a disk that takes nothing: full, over quota, broken, or read-only. What only reads goes on.

extension SystemError {
    var isOfDisk: Bool { reason == .noRoom || reason == .readOnlyDisk }
}

extension WriteError {
    var isOfDisk: Bool {
        switch self {
        case .storage(let error), .home(.store(let error)): error.isOfDisk
        case .home(.system(let error)): error.isOfDisk
        case .failed(let failure): failure.error?.isOfDisk ?? false
        default: false
        }
    }
}
