import Foundation
import Storage
import Testing

@testable import Transport

struct HomeFactsTests {
    private let directory = TemporaryDirectory()

    /// Locks on a file, of whomever: `/proc/locks` names device and inode of each.
    private func locks(on path: String) throws -> Int {
        let inode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int)
        let table = try String(contentsOf: URL(fileURLWithPath: "/proc/locks"), encoding: .utf8)
        return table.split(separator: "\n").count { $0.contains(":\(inode) ") }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/locks")))
    func `Looking where a home is takes no lock away from its database`() throws {
        let home = try directory.home()
        let store = try home.openStore()
        let reader = try home.storeReader()
        #expect(try locks(on: home.layout.store) > 0)
        let before = try locks(on: home.layout.store)
        _ = home.facts
        #expect(try locks(on: home.layout.store) == before)
        try withExtendedLifetime(reader) { try store.close() }
    }
}
