internal import Storage
internal import Sync

extension StorageError {
    /// The consequence for a batch.
    var failure: StoreFailure {
        switch self {
        case .damaged: .damaged
        case .unfit: .unexplained
        case .diskFull, .noRoomToCopy, .readOnly, .unopenable, .unwritable, .newerVersion, .olderVersion, .absent,
            .noFile, .tooManyFiles, .foreignNetwork,
            .busy, .ownLogExists, .ownLogIncomplete, .ownLogEnded, .other:
            .passing
        }
    }
}
