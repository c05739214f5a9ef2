import Testing

@testable import scurry

struct LookTests {
    private let terminal = Look.Stream(isTerminal: true, columns: 100)
    private let pipe = Look.Stream(isTerminal: false, columns: nil)
    private let usual = ["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"]

    private func look(_ stream: Look.Stream, _ more: [String: String] = [:], _ colour: Look.ColourChoice = .auto)
        -> Look
    {
        Look(of: stream, environment: Environment(usual.merging(more) { $1 }), colour: colour)
    }

    @Test func `Colour is for terminals that want it, or when asked for`() {
        #expect(look(terminal).colour == .on)
        #expect(look(pipe).colour == .off)
        #expect(look(terminal, ["NO_COLOR": "1"]).colour == .off)
        #expect(look(terminal, ["NO_COLOR": ""]).colour == .on)
        #expect(look(terminal, ["TERM": "dumb"]).colour == .off)
        #expect(look(terminal, ["TERM": ""]).colour == .off)
        #expect(look(terminal, [:], .never).colour == .off)
        #expect(look(pipe, ["NO_COLOR": "1"], .always).colour == .on)
    }

    @Test func `The terminal's own width comes first, then COLUMNS, then eighty`() {
        #expect(look(terminal, ["COLUMNS": "50"]).width == 100)
        #expect(look(pipe, ["COLUMNS": "50"]).width == 50)
        #expect(look(pipe).width == 80)
        #expect(look(pipe, ["COLUMNS": "many"]).width == 80)
    }

    @Test(arguments: [(1, 40), (40, 40), (200, 200), (5000, 200), (-3, 40)])
    func `Widths are held to forty and two hundred`(columns: Int, width: Int) {
        #expect(look(pipe, ["COLUMNS": String(columns)]).width == width)
    }

    @Test func `Drawing signs are ASCII where the locale or the terminal has no others`() {
        #expect(look(terminal).glyphs == .unicode)
        #expect(look(terminal, ["LC_ALL": "C"]).glyphs == .ascii)
        #expect(look(terminal, ["LANG": ""]).glyphs == .ascii)
        #expect(look(terminal, ["LANG": "C", "LC_CTYPE": "C.utf8"]).glyphs == .unicode)
        #expect(look(terminal, ["TERM": "dumb"]).glyphs == .ascii)
    }

    @Test func `People's letters are replaced on a terminal without UTF-8, and never in a pipe`() {
        let line = StyledLine("Grüße 木")
        #expect(line.text(look(terminal, ["LC_ALL": "C"], .never)) == "Gr??e ??")
        #expect(line.text(look(pipe, ["LC_ALL": "C"])) == "Grüße 木")
    }
}

struct StyledLineTests {
    @Test func `Trimming takes spaces from the end only, through all pieces`() {
        var line = StyledLine(" a")
        line.add(" ", .dim)
        line.add("  ")
        #expect(line.trimmedEnd == StyledLine(" a"))
        #expect(line.trimmedEnd.columns == 2)
    }

    @Test func `A channel has one colour`() {
        #expect(ChannelHue.style(of: "cs193") == ChannelHue.style(of: "cs193"))
        let names = (0..<100).map { ChannelHue.style(of: "c\($0)") }
        #expect((0..<100).contains { names[$0] != names[0] })
    }
}
