/// What is left by backups that were killed. A person's own files may have such names: each file is looked into.
extension BackupFiles {
    /// Removes the copies in a home that no running backup uses: whatever is erased later would live on in them.
    static func removeStaleCopies(from layout: HomeLayout) {
        let length = homeMark.utf8.count + TemporaryName.digits
        let names = ((try? FileSystem.names(in: layout.data)) ?? []).filter {
            TemporaryName.ends($0, with: homeMark) && $0.utf8.count == length
        }
        guard !names.isEmpty, let directory = try? OpenFile(layout.data, for: .directory) else { return }
        switch try? directory.tryLock() {
        // A backup that began since the names were read has another number.
        case true?: for name in names { removeLeftover("\(layout.data)/\(name)", olderThan: nil) }
        case false?: break
        // NFS does not lock a directory against sharers.
        case nil: for name in names { removeLeftover("\(layout.data)/\(name)", olderThan: daySeconds) }
        }
    }

    /// Removes what backups into the same folder left, to whatever name: a backup that is named after its day is never
    /// made again.
    static func removeStale(besideTarget target: String) {
        let end = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let folder = String(target[..<end])
        let names = (try? FileSystem.names(in: folder.isEmpty ? "." : folder)) ?? []
        for name in names where TemporaryName.ends(name, with: partialMark) {
            guard removePartial(folder + name) else { continue }
            removeLeftover(folder + sibling(of: name, partialMark, copyMark), olderThan: nil)
        }
        for name in names where TemporaryName.ends(name, with: copyMark) {
            // The backup that uses a copy has its partial file beside it.
            let partial = folder + sibling(of: name, copyMark, partialMark)
            guard FileSystem.facts(ofItself: partial) == nil,
                let facts = FileSystem.facts(ofItself: folder + name),
                // 0700: a file system without permissions.
                [0o600, 0o700].contains(facts.permissions)
            else { continue }
            removeLeftover(folder + name, olderThan: hourSeconds)
        }
    }

    /// The name with the same number after another mark.
    private static func sibling(of name: String, _ mark: String, _ other: String) -> String {
        let number = name.utf8.suffix(TemporaryName.digits)
        let target = name.utf8.dropLast(TemporaryName.digits + mark.utf8.count)
        return String(decoding: target, as: UTF8.self) + other + String(decoding: number, as: UTF8.self)
    }

    /// Age from which an unlocked file is no running backup's: locks may not reach from another machine to this one.
    /// Longer than a backup takes between two writes; a guess.
    private static let hourSeconds: Int64 = 3_600
    /// Age from which a file whose use cannot be told is none: longer than any backup takes; a guess.
    private static let daySeconds: Int64 = 86_400

    /// Removes a partial backup that nobody has locked; false if it is not one, or stays. One that is whole stays: it
    /// was killed before it got its name, and is as good as one that has it.
    ///
    /// Its permissions say nothing, on a USB stick for example, where all files have the same; its content does.
    private static func removePartial(_ path: String) -> Bool {
        guard isOwn(path, olderThan: hourSeconds), let file = try? OpenFile(path, for: .overwrite),
            let content = try? OpenFile(path, for: .read), (try? BackupFile.isCutOff(content)) == true
        else { return false }
        let isFree = try? file.tryLock()
        // Nil: no locks here, so that only its age tells.
        guard isFree != false, isOwn(path, olderThan: isFree == nil ? daySeconds : hourSeconds) else { return false }
        do throws(SystemError) { try FileSystem.remove(path) } catch { return false }
        return true
    }

    /// Removes a copy of a database, and SQLite's files beside it.
    private static func removeLeftover(_ copy: String, olderThan seconds: Int64?) {
        guard isOwn(copy, olderThan: seconds), let file = try? OpenFile(copy, for: .read),
            let beginning = try? file.bytes(databaseMark.count, at: 0),
            // SQLite writes the first page last: until then there is nothing, or zeros.
            beginning == databaseMark || beginning.allSatisfy({ $0 == 0 })
        else { return }
        for suffix in suffixes { try? FileSystem.remove(copy + suffix) }
    }

    private static let databaseMark = Array("SQLite format 3\0".utf8)

    private static func isOwn(_ file: String, olderThan seconds: Int64?) -> Bool {
        guard let facts = FileSystem.facts(ofItself: file), facts.isRegular, facts.owner == FileSystem.user else {
            return false
        }
        guard let seconds else { return true }
        return facts.modified < Int64(SystemClock.wallMilliseconds / 1_000) - seconds
    }
}
