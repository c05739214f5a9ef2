internal import Entries
internal import Storage

extension Home {
    /// Result of a backup.
    package struct BackupReport: Hashable, Sendable {
        /// Names in the home that have no place in a backup, such as a folder among the drafts.
        package let leftOut: [String]
        package let readers: Readers

        package enum Readers: Hashable, Sendable {
            case thisUser
            /// The file system ignores permissions, as on a USB stick.
            case others
        }
    }

    /// Writes the home without its device key into a new file, 0600; a node may run meanwhile, and another backup.
    ///
    /// `announcing` gets the names of all files that may exist meanwhile, before the first of them does, so that the
    /// caller can remove them if a signal ends the process; and again, while the final name is an empty file's.
    ///
    /// - Throws: `exists` if there is a file, which is untouched then; `noRoomForCopy`; `mayBeLost`, with which the
    ///   backup is there.
    package func backUp(
        to path: String,
        announcing: (_ files: [String]) -> Void = { _ in }
    ) throws(BackupError) -> BackupReport {
        guard !FileSystem.exists(path) else { throw .exists(path) }
        BackupFiles.removeStaleCopies(from: layout)
        BackupFiles.removeStale(besideTarget: path)
        let turn = FileSystem.isWritable(layout.data) ? BackupTurn.share(of: layout) : nil
        let files = BackupFiles(target: path, home: turn == nil ? nil : layout.data)
        announcing(files.all)
        defer {
            files.remove()
            withExtendedLifetime(turn) {}
        }
        let partial = files.partial
        do {
            var writer = try BackupWriter(partial)
            let (places, leftOut) = try BackupPlace.found(in: layout)
            for place in places {
                let copy: String
                switch place.content {
                case .file:
                    try writer.add(place.name, from: place.path(layout))
                    continue
                case .store:
                    let (store, lock) = try steadyReader()
                    defer { withExtendedLifetime(lock) {} }
                    copy = try Self.copy(into: files) { try store.copy(to: $0) }
                case .reader:
                    guard FileSystem.exists(layout.reader) else { continue }
                    let reader = ReaderFile(path: layout.reader)
                    copy = try Self.copy(into: files) { try reader.copy(to: $0) }
                }
                try writer.add(place.name, from: copy)
                try BackupFiles.removeCopy(copy)
            }
            let permissions = try writer.finish()
            try Self.name(files, path, announcing)
            do throws(SystemError) {
                try FileSystem.synchronizeNamedDirectory(of: path)
            } catch {
                throw BackupError.mayBeLost(error)
            }
            return BackupReport(leftOut: leftOut, readers: permissions & 0o077 == 0 ? .thisUser : .others)
        } catch let error as BackupError {
            throw error
        } catch let error as SystemError {
            // The person knows the file by its final name.
            let isPartial = error.path == partial
            throw error.isExistence
                ? .exists(path)
                : .home(.system(isPartial ? SystemError(call: error.call, path: path, code: error.code) : error))
        } catch let error as StorageError {
            throw .home(.store(error))
        } catch let error as HomeError {
            throw .home(error)
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }

    /// Gives the file its final name; fails if that exists.
    private static func name(
        _ files: BackupFiles,
        _ path: String,
        _ announcing: (_ files: [String]) -> Void
    ) throws(SystemError) {
        do throws(SystemError) {
            try FileSystem.link(files.partial, as: path)
        } catch {
            guard !error.isExistence else { throw error }
            // A file system without hard links: an empty file takes the name, and is replaced.
            _ = try OpenFile(path, for: .createPrivate)
            // Not before: until it was made, the name may be somebody else's.
            announcing(files.all + [path])
            defer { announcing(files.all) }
            do throws(SystemError) {
                try FileSystem.rename(files.partial, to: path)
            } catch {
                try? FileSystem.remove(path)
                throw error
            }
        }
    }

    /// Copies a database to the first place whose disk takes it, and returns that.
    ///
    /// - Throws: `noRoomForCopy` if no disk does; the errors of `write`.
    private static func copy(into files: BackupFiles, _ write: (String) throws -> Void) throws -> String {
        var full: [String] = []
        for copy in files.copies {
            // Where the database itself cannot be read no place is better than another.
            func isRoom(_ error: any Error) -> Bool {
                switch error {
                case StorageError.diskFull, StorageError.unwritable: true
                case let error as SystemError: error.isOfDisk
                default: false
                }
            }
            do {
                // Made here, since SQLite would make it readable by others.
                _ = try OpenFile(copy, for: .createPrivate)
                try write(copy)
                return copy
            } catch {
                try? BackupFiles.removeCopy(copy)
                guard isRoom(error) else { throw error }
                full.append(FileSystem.parent(of: copy) ?? (copy.hasPrefix("/") ? "/" : "."))
            }
        }
        throw BackupError.noRoomForCopy(full)
    }

    /// Restores a home from a backup where there is none. It has no device key and signs nothing: the recovery words
    /// give it a new log (`takeBack`).
    ///
    /// Checks the whole file first, and then reads the same open file once more; a failure leaves nothing, and the
    /// leftovers of a killed restore are removed by the next one.
    ///
    /// - Throws: `SystemError.noFile` for a pipe, which cannot be read twice.
    package static func create(at layout: HomeLayout, from path: String) throws(BackupError) -> Home {
        var reader = try BackupReader(path)
        try check(&reader)
        try reader.rewind()
        do {
            try FileSystem.makeDirectories(layout.data)
            try FileSystem.makeDirectories(layout.settings)
            try Privacy.checkDirectory(layout.data)
            let lock = try HomeLock(layout)
            try makeRoom(in: layout)
            try FileSystem.setPermissions(0o700, of: layout.data)
            try FileSystem.replace(layout.unfinished, with: UnfinishedMark.restore.rawValue)
            do {
                let network = try extract(&reader, to: layout)
                try network.withUnsafeBytes { try FileSystem.replace(layout.network, with: $0) }
                try FileSystem.remove(layout.unfinished)
                try FileSystem.synchronizeDirectory(of: layout.unfinished)
            } catch {
                try? removeRestored(from: layout)
                for file in [layout.unfinished, layout.lock] { try? FileSystem.remove(file) }
                for folder in [layout.data, layout.settings] { FileSystem.removeIfEmpty(folder) }
                throw error
            }
            withExtendedLifetime(lock) {}
            return try Home(opening: layout)
        } catch let error as BackupError {
            throw error
        } catch let error as HomeError {
            throw .home(error)
        } catch let error as StorageError {
            throw .home(.store(error))
        } catch let error as SystemError {
            throw .home(error.isExistence ? .exists(layout.data) : .system(error))
        } catch {
            preconditionFailure("nothing else is thrown: \(error)")
        }
    }

    /// Removes the leftovers of a killed restore or `init`.
    static func removeUnfinished(_ layout: HomeLayout) throws(SystemError) {
        guard let mark = layout.unfinishedMark else { return }
        if mark == .restore { try removeRestored(from: layout) }
        try removeRemains(of: layout)
    }

    /// Clears leftovers; throws if files of a home exist without one.
    private static func makeRoom(in layout: HomeLayout) throws {
        guard !layout.isMarkTaken else { throw BackupError.inTheWay(layout.unfinished) }
        try removeUnfinished(layout)
        guard !FileSystem.exists(layout.network) else { throw BackupError.home(.exists(layout.data)) }
        let (places, others) = try BackupPlace.found(in: layout)
        for place in places where FileSystem.exists(place.path(layout)) {
            throw BackupError.inTheWay(place.path(layout))
        }
        guard !others.contains(BackupPlace.drafts) else { throw BackupError.inTheWay(layout.drafts) }
        guard !FileSystem.exists(layout.deviceKey) else { throw BackupError.inTheWay(layout.deviceKey) }
    }

    private static func removeRestored(from layout: HomeLayout) throws(SystemError) {
        for place in try BackupPlace.found(in: layout).places { try FileSystem.remove(place.path(layout)) }
        for suffix in ["-wal", "-shm", "-journal"] { try FileSystem.remove(layout.store + suffix) }
        for folder in [layout.keys, layout.drafts] { FileSystem.removeIfEmpty(folder) }
    }

    /// Verifies the whole backup: every record's hash, and every file's size.
    private static func check(_ reader: inout BackupReader) throws(BackupError) {
        var names: Set<String> = []
        var rest: UInt64 = 0
        while true {
            switch try reader.next() {
            case .file(let name, let size):
                guard rest == 0, BackupPlace(named: name) != nil, names.insert(name).inserted,
                    // This file is held in memory.
                    name != BackupPlace.network || size <= UInt64(2 * Home.maximumNetworkNameBytes)
                else { throw .damaged }
                rest = size
            case .piece(let bytes):
                guard bytes.count <= rest else { throw .damaged }
                rest -= UInt64(bytes.count)
            case .end:
                guard rest == 0, names.isSuperset(of: BackupPlace.required) else { throw .damaged }
                return
            }
        }
    }

    /// Writes all files but `network`, which completes a home, and returns its bytes.
    private static func extract(_ reader: inout BackupReader, to layout: HomeLayout) throws -> [UInt8] {
        var network: [UInt8] = []
        var item = try reader.next()
        while case .file(let name, _) = item {
            guard let place = BackupPlace(named: name) else { throw BackupError.damaged }
            item = try reader.next()
            if name == BackupPlace.network {
                while case .piece(let bytes) = item {
                    network += bytes
                    item = try reader.next()
                }
                continue
            }
            let target = place.path(layout)
            if let parent = FileSystem.parent(of: target) { try FileSystem.makeDirectories(parent) }
            let file = try OpenFile(target, for: .createPrivate)
            while case .piece(let bytes) = item {
                try bytes.withUnsafeBytes { try file.write($0) }
                item = try reader.next()
            }
            try file.synchronize()
            // Each directory is synced: a home that lacks a key could neither be restored again nor made anew.
            try FileSystem.synchronizeDirectory(of: target)
        }
        // The first line; `Home` reads the second, of a private network.
        guard let line = network.split(separator: UInt8(ascii: "\n")).first,
            let name = networkName(String(decoding: line, as: UTF8.self))
        else { throw BackupError.damaged }
        try stop(layout, NetworkID(name: name))
        return network
    }

    /// Stops signing, since the database is a copy: `HomeFacts` would show it, but not on every system.
    private static func stop(_ layout: HomeLayout, _ network: NetworkID) throws {
        layout.witness?.forget()
        let store = try EntryStore(.file(layout.store), network: network, creation: .never)
        if try store.ownCertificate() != nil { try store.stopSigning(.copied) }
        try store.close()
    }
}
