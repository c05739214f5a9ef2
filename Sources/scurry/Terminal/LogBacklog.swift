/// Lines of a log that wait for their writer, in their order, within a bound of bytes.
///
/// If they come faster than the stream takes them, the newest are dropped: from the first that does not fit until all
/// before it are written. There one notice says how many are missing.
struct LogBacklog {
    /// What whoever appended does next.
    enum Appended: Equatable, Sendable {
        /// Start a writer, which calls `next` until it says `rest`.
        case writerWanted
        case nothingToDo
    }

    /// What the writer does next.
    enum Turn: Equatable, Sendable {
        /// Write these pieces, in their order.
        case write([[UInt8]])
        /// Write that so many lines were dropped after what is written.
        case tellLoss(lines: Int)
        /// Nothing is left; the writer ends.
        case rest
    }

    /// Bytes of the pieces that wait or are being written, at most.
    private let limitBytes: Int
    private var pieces: [[UInt8]] = []
    /// Bytes of `pieces` and of what is being written.
    private var heldBytes = 0
    /// Bytes of what is being written: of the writer's last turn.
    private var turnBytes = 0
    private var lostLines = 0
    private var hasWriter = false

    init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Adds whole lines, which are written by one call, or counts them as lost.
    ///
    /// - Parameter piece: lines with their line ends.
    /// - Returns: whether the caller has to start a writer, since there is none.
    mutating func append(_ piece: [UInt8]) -> Appended {
        guard !piece.isEmpty else { return .nothingToDo }
        // Once some are lost, no later ones come before the notice of it.
        if lostLines == 0, heldBytes + piece.count <= limitBytes {
            pieces.append(piece)
            heldBytes += piece.count
        } else {
            lostLines += max(1, piece.count { $0 == UInt8(ascii: "\n") })
        }
        defer { hasWriter = true }
        return hasWriter ? .nothingToDo : .writerWanted
    }

    /// Gives the writer its next turn: it is done with the one before.
    mutating func next() -> Turn {
        heldBytes -= turnBytes
        turnBytes = heldBytes
        if !pieces.isEmpty {
            defer { pieces = [] }
            return .write(pieces)
        }
        if lostLines > 0 {
            defer { lostLines = 0 }
            return .tellLoss(lines: lostLines)
        }
        hasWriter = false
        return .rest
    }
}
