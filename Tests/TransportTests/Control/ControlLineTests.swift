import Entries
import FoundationEssentials
import Testing

@testable import Transport

@Suite struct ControlLineTests {
    private func request(_ line: String) -> ControlRequest? { ControlLine.decode(Array(line.utf8)) }

    /// Foundation's decoder gives up at 512 levels, and traps if the byte that opens the 513th is the last.
    @Test(arguments: [17, 511, 512, 513, 514, 100_000]) func `A line nested too deeply is no message`(depth: Int) {
        #expect(request(String(repeating: "[", count: depth)) == nil)
        #expect(request(String(repeating: "{\"a\":", count: depth)) == nil)
        let closed = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(request("{\"status\":{\"a\":\(closed)}}") == nil)
        // A quote that is escaped ends no string, an escaped backslash escapes nothing.
        #expect(request(#"["\"","\\",\#(String(repeating: "[", count: depth - 1))"#) == nil)
    }

    @Test func `Depth is counted, not brackets`() {
        #expect(request("{\"status\":{\"a\":[\(String(repeating: "[],{},", count: 600))0]}}") == .status)
        let arrays = String(repeating: "[", count: 14) + String(repeating: "]", count: 14)
        #expect(request("{\"status\":{\"a\":\(arrays)}}") == .status)
    }

    @Test func `Brackets in a string are text`() {
        let brackets = String(repeating: "[{", count: 600)
        for text in [brackets, "\\\"" + brackets, brackets + "\\\\", "\\\\\\\"" + brackets] {
            #expect(request("{\"status\":{\"a\":\"\(text)\"}}") == .status)
        }
    }
}
