import Entries
import Foundation
import Sync
import Testing

@testable import Transport

/// The least client (`protocol/client.md`) and a real node.
@Suite(.serialized, .enabled(if: PythonClient.isExpected)) struct LeafTests {
    private static let network = "leaves"

    private let directory = TemporaryDirectory()
    private var home: String { directory.path + "/leaf" }

    /// A line of the leaf's.
    private struct Line: Decodable, Sendable {
        var post: String?
        var text: String?
        var wrote: String?
        var stopped: String?
        var refused: String?
        var deleted: String?
    }

    private func leaf(_ node: Node) async throws -> PythonClient.Running {
        try await PythonClient.installed().startLeaf(node.address, network: Self.network, home: home)
    }

    private func texts(_ leaf: PythonClient.Running, _ count: Int) async throws -> Set<String> {
        var texts: Set<String> = []
        for _ in 0..<count {
            let line = try await leaf.line(Line.self)
            texts.insert(try #require(line.text))
        }
        return texts
    }

    /// What it wrote last, when the node has it.
    private func written(by leaf: PythonClient.Running, at node: Node) async throws {
        var id: String?
        while id == nil { id = try await leaf.line(Line.self).wrote }
        let bytes = [UInt8](hexadecimal: try #require(id))
        try await node.holds([try #require(EntryID(bytes))])
    }

    /// Waits until the node and its one peer have said to each other that they hold the same.
    private func inStep(_ node: Node) async {
        let outcome = await node.wait(milliseconds: patience) { status in
            status.sessions.count == 1 && status.sessions.allSatisfy { $0.isQuiet && $0.isEqual }
        }
        #expect(outcome == .reached)
    }

    @Test func `A leaf reads what is there and what comes, and its posts reach the node`() async throws {
        try await withNode(directory.home(network: Self.network)) { node in
            for text in ["one", "two", "three"] { _ = try await node.post(text) }
            let first = try await leaf(node)
            #expect(try await texts(first, 3) == ["one", "two", "three"])
            _ = try await node.post("four")
            #expect(try await texts(first, 1) == ["four"])
            try first.type("by a leaf")
            try await written(by: first, at: node)
            #expect(try await first.endOfInput() == 0)

            // Started anew it waits for what the node says of its log.
            let second = try await leaf(node)
            try second.type("behind a restart")
            try await written(by: second, at: node)
            #expect(try await second.endOfInput() == 0)
            let report = await node.report()
            #expect(report.logs == 2 && report.entries == 6)
        }
    }

    @Test func `What a leaf wrote long ago, more than a message holds, comes in several`() async throws {
        let posts = 20
        try await withNode(directory.home("one", network: Self.network)) { node in
            let first = try await leaf(node)
            for number in 0..<posts { try first.type("\(number) " + String(repeating: "x", count: 60_000)) }
            for _ in 0..<posts { try await written(by: first, at: node) }
            #expect(try await first.endOfInput() == 0)
        }
        try await withNode(directory.home("two", network: Self.network)) { node in
            let second = try await leaf(node)
            try second.type("the last")
            try await written(by: second, at: node)
            let report = await node.report()
            #expect(report.logs == 1 && report.entries == posts + 1)
            #expect(try await second.endOfInput() == 0)
        }
    }

    @Test func `A node calls a leaf in step, and what is deleted goes`() async throws {
        try await withNode(directory.home(network: Self.network)) { node in
            let post = try await node.post("to be deleted")
            _ = try await node.post("to stay")
            let leaf = try await leaf(node)
            #expect(try await texts(leaf, 2) == ["to be deleted", "to stay"])
            try leaf.type("by a leaf")
            try await written(by: leaf, at: node)
            await inStep(node)
            _ = try await node.delete(post)
            #expect(try await leaf.line(Line.self).deleted == post.description)
            await inStep(node)
            #expect(try await leaf.endOfInput() == 0)
        }
    }

    @Test func `A leaf that wrote another history elsewhere finds out, for good`() async throws {
        let state = URL(fileURLWithPath: home).appendingPathComponent("leaf.json")
        try await withNode(directory.home("one", network: Self.network)) { one in
            let first = try await leaf(one)
            try first.type("one")
            try await written(by: first, at: one)
            let kept = try Data(contentsOf: state)
            try first.type("two")
            try await written(by: first, at: one)
            #expect(try await first.endOfInput() == 0)
            try kept.write(to: state)
            try await withNode(directory.home("two", network: Self.network)) { two in
                let rival = try await leaf(two)
                try rival.type("another two")
                try await written(by: rival, at: two)
                #expect(try await rival.endOfInput() == 0)

                // As many entries, and another root.
                let back = try await leaf(one)
                #expect(try await back.line(Line.self).stopped != nil)
                #expect(try await back.endOfInput() == 0)
                let later = try await leaf(two)
                #expect(try await later.line(Line.self).stopped != nil)
                try later.type("three")
                #expect(try await later.line(Line.self).refused == "three")
                #expect(try await later.endOfInput() == 0)
            }
            let report = await one.report()
            #expect(report.entries == 2 && report.logs == 1)
        }
    }

    @Test func `A leaf that was put back writes nothing more`() async throws {
        try await withNode(directory.home(network: Self.network)) { node in
            let state = URL(fileURLWithPath: home).appendingPathComponent("leaf.json")
            let first = try await leaf(node)
            try first.type("one")
            try await written(by: first, at: node)
            let kept = try Data(contentsOf: state)
            try first.type("two")
            try await written(by: first, at: node)
            #expect(try await first.endOfInput() == 0)

            try kept.write(to: state)
            let second = try await leaf(node)
            #expect(try await second.line(Line.self).stopped != nil)
            try second.type("another two")
            #expect(try await second.line(Line.self).refused == "another two")
            #expect(try await second.endOfInput() == 0)
            let report = await node.report()
            #expect(report.entries == 2 && report.logs == 1)
        }
    }
}
