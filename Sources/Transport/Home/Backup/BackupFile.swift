#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif
internal import Entries
internal import Sodium

/// The format of a backup: the mark `"scurry backup 1\n"`, then records.
///
/// A record is `kind u8 ‖ length u32 ‖ bytes ‖ hash 32`, hash = H("scurry/backup", hash of the record before ‖ kind ‖
/// bytes), the first with a zero hash before it. Kind 1 begins a file: size u64 and name; kind 2 is its next piece;
/// kind 3, without bytes, ends the backup. So truncation and damage are detected before anything is used. The format is
/// this program's own and never on a wire.
enum BackupFile {
    static let mark = Array("scurry backup 1\n".utf8)
    static let family = Array("scurry backup ".utf8)
    static let pieceBytes = 1_048_576

    enum Kind: UInt8 {
        case file = 1
        case piece = 2
        case end = 3
    }

    static func hash(_ before: Bytes32, _ kind: Kind, _ bytes: [UInt8]) -> Bytes32 {
        var writer = ByteWriter(capacity: bytes.count + 33)
        writer.append(before)
        writer.append(kind.rawValue)
        writer.append(bytes)
        return Blake2b.hash(.backup, writer.bytes)
    }

    static func record(_ kind: Kind, _ bytes: [UInt8], hash: Bytes32) -> [UInt8] {
        var record = ByteWriter(capacity: bytes.count + 37)
        record.append(kind.rawValue)
        record.append(UInt32(bytes.count))
        record.append(bytes)
        record.append(hash)
        return record.bytes
    }
}

/// Writes a backup into a new file.
struct BackupWriter: ~Copyable {
    private let file: OpenFile
    private var last = Bytes32()

    init(_ path: String) throws(SystemError) {
        let file = try OpenFile(path, for: .createPrivate)
        // Another backup into the same folder takes it for a leftover otherwise, and may look at it just now. A file
        // system without locks has none to give to that one either.
        _ = try? file.tryLockSoon()
        try Self.write(BackupFile.mark, to: file)
        self.file = file
    }

    /// Adds a file under its name in the home; skips an absent one.
    mutating func add(_ name: String, from path: String) throws(SystemError) {
        guard let source = try Self.openIfThere(path) else { return }
        var rest = try source.facts().size
        var header = ByteWriter()
        header.append(UInt64(rest))
        header.append(name.utf8)
        try put(.file, header.bytes)
        while rest > 0 {
            var piece = [UInt8](repeating: 0, count: min(rest, BackupFile.pieceBytes))
            let count = try piece.withUnsafeMutableBytes { buffer in
                Result { () throws(SystemError) in try source.read(into: buffer) }
            }.get()
            // The file was truncated meanwhile: pad to the announced size, and leave the damage to the file's own
            // checks.
            if count < piece.count {
                piece.replaceSubrange(count..., with: repeatElement(0, count: piece.count - count))
            }
            try put(.piece, piece)
            rest -= piece.count
        }
    }

    /// Writes the closing record and syncs; returns the permissions that the file has.
    mutating func finish() throws(SystemError) -> UInt32 {
        try put(.end, [])
        try file.synchronize()
        return try file.facts().permissions
    }

    private mutating func put(_ kind: BackupFile.Kind, _ bytes: [UInt8]) throws(SystemError) {
        last = BackupFile.hash(last, kind, bytes)
        try Self.write(BackupFile.record(kind, bytes, hash: last), to: file)
    }

    private static func openIfThere(_ path: String) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path, for: .readLinked)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
    }

    private static func write(_ bytes: [UInt8], to file: borrowing OpenFile) throws(SystemError) {
        do {
            try bytes.withUnsafeBytes { buffer in try file.write(buffer) }
        } catch let error as SystemError {
            throw error
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }
}

/// Reads a backup record by record, and checks each before it is returned.
struct BackupReader: ~Copyable {
    private let file: OpenFile
    private var last = Bytes32()

    enum Item {
        case file(name: String, size: UInt64)
        case piece([UInt8])
        case end
    }

    /// - Throws: `foreign`, `newerVersion`; `SystemError.noFile` for a pipe, which cannot be read twice.
    init(_ path: String) throws(BackupError) {
        let file = try Self.open(path)
        let mark = try Self.read(BackupFile.mark.count, from: file)
        guard mark == BackupFile.mark else {
            throw mark.starts(with: BackupFile.family) ? .newerVersion : .foreign
        }
        self.file = file
    }

    private static func open(_ path: String) throws(BackupError) -> OpenFile {
        do throws(SystemError) { return try OpenFile(path, for: .readLinked) } catch { throw .home(.system(error)) }
    }

    /// Begins again at the first record, of the same file whatever its name leads to by now (`lseek`).
    mutating func rewind() throws(BackupError) {
        guard lseek(file.descriptor, off_t(BackupFile.mark.count), SEEK_SET) >= 0 else {
            throw .home(.system(SystemError("lseek", file.path)))
        }
        last = Bytes32()
    }

    /// - Throws: `truncated`, `damaged`.
    mutating func next() throws(BackupError) -> Item {
        let head = try exactly(5)
        var reader = ByteReader(head)
        guard let raw = reader.integer(UInt8.self), let length = reader.integer(UInt32.self),
            let kind = BackupFile.Kind(rawValue: raw), length <= BackupFile.pieceBytes
        else { throw .damaged }
        let bytes = try exactly(Int(length))
        let hash = BackupFile.hash(last, kind, bytes)
        guard try exactly(Bytes32.count) == hash.bytes else { throw .damaged }
        last = hash
        switch kind {
        case .file:
            var reader = ByteReader(bytes)
            guard let size = reader.integer(UInt64.self) else { throw .damaged }
            return .file(name: String(decoding: bytes.dropFirst(8), as: UTF8.self), size: size)
        case .piece: return .piece(bytes)
        case .end:
            guard bytes.isEmpty, try Self.read(1, from: file).isEmpty else { throw .damaged }
            return .end
        }
    }

    private func exactly(_ count: Int) throws(BackupError) -> [UInt8] {
        let bytes = try Self.read(count, from: file)
        guard bytes.count == count else { throw .truncated }
        return bytes
    }

    private static func read(_ count: Int, from file: borrowing OpenFile) throws(BackupError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        do {
            let got = try bytes.withUnsafeMutableBytes { buffer in try file.read(into: buffer) }
            return Array(bytes.prefix(got))
        } catch let error as SystemError {
            throw .home(.system(error))
        } catch {
            preconditionFailure("nothing else is thrown")
        }
    }
}
