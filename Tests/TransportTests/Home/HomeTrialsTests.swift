import Testing

@testable import Transport

/// What a `doctor` that was killed left in a home.
@Suite struct HomeTrialsTests {
    private let directory = TemporaryDirectory()

    @Test func `Trial files of processes that ended are removed, and no other file`() throws {
        let layout = try directory.home().layout
        // No system has a process of this number.
        let gone = Int32.max
        let stale = ["doctor.try-\(gone)", "lock.try-\(gone)"]
        let others = ["doctor.try-\(FileSystem.process)", "lock.try-notes", "doctor.try-", "my-doctor.try-\(gone)"]
        for name in stale + others { try FileSystem.replace("\(layout.data)/\(name)", with: "x") }
        layout.removeStaleTrials()
        for name in stale { #expect(!FileSystem.exists("\(layout.data)/\(name)"), "\(name)") }
        for name in others { #expect(FileSystem.exists("\(layout.data)/\(name)"), "\(name)") }
    }
}
