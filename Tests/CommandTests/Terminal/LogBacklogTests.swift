import Testing

@testable import scurry

struct LogBacklogTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `Pieces come in their order, and one writer is started at a time`() {
        var backlog = LogBacklog(limitBytes: 100)
        #expect(backlog.append(bytes("a\n")) == .writerWanted)
        #expect(backlog.append(bytes("b\n")) == .nothingToDo)
        #expect(backlog.next() == .write([bytes("a\n"), bytes("b\n")]))
        #expect(backlog.append(bytes("c\n")) == .nothingToDo)
        #expect(backlog.next() == .write([bytes("c\n")]))
        #expect(backlog.next() == .rest)
        #expect(backlog.append(bytes("d\n")) == .writerWanted)
        #expect(backlog.next() == .write([bytes("d\n")]))
    }

    @Test func `What is being written counts until it is written`() {
        var backlog = LogBacklog(limitBytes: 4)
        _ = backlog.append(bytes("aaa\n"))
        #expect(backlog.next() == .write([bytes("aaa\n")]))
        _ = backlog.append(bytes("b\n"))
        #expect(backlog.next() == .tellLoss(lines: 1))
        _ = backlog.append(bytes("ccc\n"))
        #expect(backlog.next() == .write([bytes("ccc\n")]))
        #expect(backlog.next() == .rest)
    }

    @Test func `What comes after a lost line is lost too until that is told`() {
        var backlog = LogBacklog(limitBytes: 6)
        _ = backlog.append(bytes("aaa\n"))
        _ = backlog.append(bytes("bbb\n"))
        // There is room for this one.
        _ = backlog.append(bytes("c\n"))
        #expect(backlog.next() == .write([bytes("aaa\n")]))
        #expect(backlog.next() == .tellLoss(lines: 2))
        _ = backlog.append(bytes("d\n"))
        #expect(backlog.next() == .write([bytes("d\n")]))
        #expect(backlog.next() == .rest)
    }

    @Test func `Of a lost piece each line counts, and one that never fits is told too`() {
        var backlog = LogBacklog(limitBytes: 5)
        #expect(backlog.append(bytes("a\nb\nc\n")) == .writerWanted)
        #expect(backlog.next() == .tellLoss(lines: 3))
        #expect(backlog.next() == .rest)
    }

    @Test func `Nothing starts no writer`() {
        var backlog = LogBacklog(limitBytes: 5)
        #expect(backlog.append([]) == .nothingToDo)
        #expect(backlog.append(bytes("a\n")) == .writerWanted)
    }
}
