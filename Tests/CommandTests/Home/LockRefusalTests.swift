import Foundation
import Testing

/// File systems that refuse locks, or whose locks hold nobody off: nothing is written there.
struct LockRefusalTests {
    private static let hint = "a disk of this machine has locks: SCURRY_HOME=DIR scurry init"

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that refuses locks"), arguments: LockShim.allCases)
    func `Where locks do not hold nothing is written, and doctor says why`(shim: LockShim) throws {
        let home = try TestHome(name: "hazel")
        try home.post("before")
        let variables = try shim.variables(in: home.folder)
        let ended = try home.run(["post", "not written"], variables)
        switch shim {
        // The database is opened before the text is read.
        case .recordsRefused: expectFailure(ended, 1, "\(home.path): No locks available", hint: Self.hint)
        case .homeRefused, .homeIdle:
            let kept = "the text is kept in \(home.path)/drafts/post"
            expectFailure(ended, 1, "\(home.path)/lock: No locks available; \(kept)", hint: Self.hint)
            let node = try home.run(["run", "--listen", "127.0.0.1:0"], variables)
            expectFailure(node, 1, "\(home.path)/lock: No locks available", hint: Self.hint)
        }
        let doctor = try home.run(["doctor"], variables)
        #expect(doctor.code == 1)
        #expect(doctor.out.contains("problem  locks     \(home.path): No locks available"), "\(doctor.out)")
        #expect(!doctor.out.contains("in use by another program"), "\(doctor.out)")
        let fresh = try TestHome()
        let made = try fresh.run(["init", "--name", "rowan", "--words-to", fresh.folder.file("words")], variables)
        #expect(made.code == 1 && made.err.contains("No locks available\nhint: "), "\(made.err)")
        // All is as it was.
        #expect(try home.run("doctor").out.contains("locks") == false)
        try home.post("after")
        #expect(try home.texts() == ["after", "before"])
        let left = try FileManager.default.contentsOfDirectory(atPath: home.path)
        #expect(!left.contains { $0.hasPrefix("lock.try") })
    }

    @Test(.enabled(if: LockShim.isPossible, "needs cc, for a library that refuses locks"))
    func `Where each process is given the lock a second one does not write beside the first`() throws {
        let home = try TestHome(name: "hazel")
        let node = try TestNode(home)
        let ended = try home.run(["run", "--listen", "127.0.0.1:0"], LockShim.homeIdle.variables(in: home.folder))
        #expect(ended.code == 1 && ended.err.contains("/lock: No locks available\n"), "\(ended.err)")
        #expect(try node.stop() == 0)
    }
}
