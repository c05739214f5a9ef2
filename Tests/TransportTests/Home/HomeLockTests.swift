import Testing

@testable import Transport

/// Who holds a home's lock, as far as its note can be believed.
struct HomeLockTests {
    private let directory = TemporaryDirectory()

    @Test func `The note names a process of this machine's start alone`() throws {
        let home = try directory.home()
        let held = try HomeLock(home.layout)
        defer { withExtendedLifetime(held) {} }
        #expect(throws: HomeError.busy(process: FileSystem.process)) { try HomeLock(home.layout) }
        for (note, process) in [
            ("4711 somewhere/else\n", nil), ("4711\n", 4_711), ("", nil), ("x y\n", nil),
        ] as [(String, Int32?)] {
            try OpenFile(home.layout.lock, for: .overwrite).overwrite(note)
            #expect(throws: HomeError.busy(process: process)) { try HomeLock(home.layout) }
        }
    }

    @Test func `The note tells a node from a command, while the lock is held`() throws {
        let layout = try directory.home().layout
        do {
            let held = try HomeLock(layout)
            defer { withExtendedLifetime(held) {} }
            #expect(HomeLock.node(layout) == nil)
            held.note(.node)
            #expect(HomeLock.node(layout) == FileSystem.process)
            #expect(throws: HomeError.busy(process: FileSystem.process)) { try HomeLock(layout) }
            held.note(.passing)
            #expect(HomeLock.node(layout) == nil)
            #expect(throws: HomeError.busy(process: FileSystem.process)) { try HomeLock(layout) }
            // As of a process that was killed.
            held.note(.node)
        }
        #expect(HomeLock.node(layout) == nil)
    }

    @Test func `Readers share the lock, and no writer has it meanwhile`() throws {
        let layout = try directory.home().layout
        do {
            let readers = [try HomeLock(sharing: layout), try HomeLock(sharing: layout)]
            defer { withExtendedLifetime(readers) {} }
            #expect(throws: HomeError.busy(process: nil)) { try HomeLock(layout) }
        }
        let writer = try HomeLock(layout)
        defer { withExtendedLifetime(writer) {} }
        #expect(throws: HomeError.busy(process: FileSystem.process)) { try HomeLock(sharing: layout) }
    }

    /// Whoever reads changes nothing in the home.
    @Test func `Leftovers stay until somebody has the lock alone`() throws {
        let layout = try directory.home().layout
        let copy = layout.data + "/backup-copy-" + TemporaryName.number()
        try FileSystem.replace(copy, with: "")
        _ = try HomeLock(sharing: layout)
        #expect(FileSystem.exists(copy))
        _ = try HomeLock(layout)
        #expect(!FileSystem.exists(copy))
    }

    /// Where it would be taken for given, the lock of the home would be found out by the second one, but no other
    /// would.
    @Test func `A lock that the system refuses is not taken for given`() {
        #expect(throws: SystemError.self) { _ = try OpenFile(adopting: -1, path: "refused").tryLock() }
    }

    @Test func `A name is resolved as far as it is there`() throws {
        #expect(try FileSystem.resolvedAsFarAsItIs("/no-such-name/a/b") == "/no-such-name/a/b")
        #expect(try FileSystem.resolvedAsFarAsItIs(directory.path + "/a/b").hasSuffix("/a/b"))
    }
}
