import Foundation
import Testing
import Transport

@testable import scurry

/// What is logged of a call to a listed peer is not lost where the list of `sync` says something else, or nothing.
struct HeldLinesTests {
    private static let place = "oak:7776"

    private func held(_ text: String, isError: Bool) -> HeldLines {
        let held = HeldLines()
        held.append(HeldLines.Line(text: text, isError: isError, drawn: StyledLine(SafeText(line: text))))
        return held
    }

    private func row(_ place: String, impostor: String?) throws -> PeerRow {
        let other = impostor.map { ",\"impostor\":\"\($0)\"" } ?? ""
        let json = """
            {"address":"\(place)","node":"abc","isListed":true,"state":"waiting","failures":1\(other)}
            """
        let target = try JSONDecoder().decode(StatusReport.Target.self, from: Data(json.utf8))
        return PeerRow(address: place, isListed: true, target: target)
    }

    @Test func `A warning about a peer is left out beside its reason only`() throws {
        // A peer that is in step again is in no list.
        let lines = held("\(Self.place) (abcdefgh): another node with this node's key runs", isError: false)
        #expect(lines.unsaid(beside: [try row(Self.place, impostor: nil)]).isEmpty)
        #expect(lines.unsaid(beside: [try row("elm:7776", impostor: nil)]).count == 1)
        // As after a signal, which ends the command before its list.
        #expect(lines.unsaid(beside: []).count == 1)
    }

    @Test func `An error about a peer is left out only beside the same reason, with its way out`() throws {
        let lines = held("\(Self.place) is xyz, not abc: not trusted", isError: true)
        #expect(lines.unsaid(beside: [try row(Self.place, impostor: nil)]).count == 1)
        let told = try row(Self.place, impostor: "xyz")
        #expect(lines.unsaid(beside: [told]).isEmpty)
        let reason = told.reason(TimeText(now: 1_790_000_000_000, zone: .utc)).string
        #expect(reason.hasSuffix("; if that is right: scurry join xyz@\(Self.place)"), "\(reason)")
    }
}
