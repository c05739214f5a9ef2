#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The lock on a draft: two editors that are open at once never write to one file.
///
/// It is a `flock(2)` on a file beside the draft, which is removed with it; a crash releases it.
final class DraftTurn: Sendable {
    let draft: Draft
    /// Number of the draft: 1 for `NAME`, 2 for `NAME-2`.
    let number: Int
    private let lock: Lock

    private enum Lock {
        case held(descriptor: Int32)
        /// The file system has no locks, or no room: the writer will see its other errors.
        case absent
    }

    /// Drafts of one name that are open at once, at most; a guess.
    private static let numbersAtMost = 10_000

    /// The first draft of this name that is not locked: `NAME`, else `NAME-2`, and so on.
    static func first(of draft: Draft, after number: Int = 0) -> DraftTurn {
        for number in (number + 1)..<max(numbersAtMost, number + 2) {
            if let turn = DraftTurn(draft, number) { return turn }
        }
        return DraftTurn(unlocked: draft, numbersAtMost)
    }

    /// The first draft of this name that holds a text and is not locked; nil if there is none.
    static func kept(of draft: Draft) -> DraftTurn? {
        for number in draft.keptNumbers {
            guard let turn = DraftTurn(draft, number) else { continue }
            // Its writer may have posted it meanwhile.
            if case .some(let text) = try? turn.draft.text(), !text.isEmpty { return turn }
            if turn.draft.isIllegible { return turn }
        }
        return nil
    }

    /// As `kept`, for who only looks: nothing is locked or made, so that no editor has to take another draft.
    static func waiting(of draft: Draft) -> Draft? {
        draft.keptNumbers.lazy.map { numbered(draft, $0) }.first { draft in
            guard !isLocked(path(of: draft)) else { return false }
            if case .some(let text) = try? draft.text(), !text.isEmpty { return true }
            return draft.isIllegible
        }
    }

    /// Whether another process holds the lock file, if there is one.
    private static func isLocked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Texts of one name that are kept, at most: who has so many looks at none of them. A guess.
    static let keptAtMost = 32

    /// The first draft of this name that can keep a text, since it holds none or the same, and is not locked; nil:
    /// `keptAtMost` hold others.
    static func free(of draft: Draft, for text: String) -> DraftTurn? {
        var turn = first(of: draft)
        while turn.number <= keptAtMost {
            if turn.draft.holds(text) { return turn }
            // One that is too long to be read holds another text.
            let kept = turn.draft.isIllegible ? nil : try? turn.draft.text() ?? ""
            if kept?.isEmpty == true { return turn }
            turn = first(of: draft, after: turn.number)
        }
        return nil
    }

    /// Removes the drafts of this name that hold a text and are not locked, among the first `keptAtMost`.
    static func discard(_ draft: Draft, holding text: String) {
        for number in draft.keptNumbers.prefix(keptAtMost) where numbered(draft, number).holds(text) {
            // Its writer may have gone on with it meanwhile.
            guard let turn = DraftTurn(draft, number), turn.draft.holds(text) else { continue }
            turn.draft.discard()
            withExtendedLifetime(turn) {}
        }
    }

    deinit {
        guard case .held(let descriptor) = lock else { return }
        // Removed before the release: a process that waits for this file sees that it is gone.
        unlink(DraftTurn.path(of: draft))
        close(descriptor)
    }

    /// Locks the draft; nil while another process has it.
    private init?(_ draft: Draft, _ number: Int) {
        self.draft = DraftTurn.numbered(draft, number)
        self.number = number
        switch DraftTurn.lock(DraftTurn.path(of: self.draft)) {
        case .some(let lock): self.lock = lock
        case nil: return nil
        }
    }

    private init(unlocked draft: Draft, _ number: Int) {
        self.draft = DraftTurn.numbered(draft, number)
        self.number = number
        lock = .absent
    }

    private static func numbered(_ draft: Draft, _ number: Int) -> Draft {
        number == 1 ? draft : Draft(path: "\(draft.path)-\(number)")
    }

    private static func path(of draft: Draft) -> String { draft.path + ".lock" }

    private static func lock(_ path: String) -> Lock? {
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return Lock.absent }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                if code == EINTR { continue }
                return code == EWOULDBLOCK ? nil : Lock.absent
            }
            if isThere(path, descriptor) { return .held(descriptor: descriptor) }
            // The last holder has removed the file meanwhile.
            close(descriptor)
        }
    }

    private static func isThere(_ path: String, _ descriptor: Int32) -> Bool {
        var named = stat()
        var held = stat()
        return lstat(path, &named) == 0 && fstat(descriptor, &held) == 0 && named.st_ino == held.st_ino
            && named.st_dev == held.st_dev
    }
}
