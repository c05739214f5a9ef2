#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import Synchronization

/// The copies of a database made before its migrations, beside it.
///
/// A copy is complete: data erased from the database afterwards would live on in it. The first erasure removes all.
final class MigrationCopies: Sendable {
    private let store: String
    private let mayBeThere = Mutex(true)

    /// Nil for a store without a file.
    init?(of place: EntryStore.Place) {
        switch place {
        case .memory: return nil
        case .file(let path): store = path
        }
    }

    static func path(of store: String, before version: Int) -> String { "\(store).before-v\(version)" }

    /// Removes all copies, partial ones too; one that cannot be removed now is tried again next time.
    func remove() {
        remove { _ in true }
    }

    /// Removes copies older than `StorageLimits.migrationCopySeconds`: the new version has been in use since.
    func removeOld() {
        let limit = Date(timeIntervalSinceNow: -Double(StorageLimits.migrationCopySeconds))
        remove { path in
            guard let made = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date else {
                return false
            }
            return made < limit
        }
    }

    private func remove(where isMeant: (String) -> Bool) {
        mayBeThere.withLock { mayBeThere in
            guard mayBeThere else { return }
            let url = URL(fileURLWithPath: store)
            let folder = url.deletingLastPathComponent().path
            let prefix = url.lastPathComponent + ".before-v"
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return }
            var isClean = true
            for name in names where name.hasPrefix(prefix) {
                guard isMeant(folder + "/" + name) else {
                    isClean = false
                    continue
                }
                do { try FileManager.default.removeItem(atPath: folder + "/" + name) } catch { isClean = false }
            }
            mayBeThere = !isClean
        }
    }
}
