import Testing

@testable import scurry

struct QRCodeTests {
    /// The worked example of ISO/IEC 18004, annex I: 01234567 in version 1-M.
    @Test func `Error correction is that of the standard's example`() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let expected: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(ReedSolomon.remainder(of: data, count: 10) == expected)
    }

    /// As two other programs draw it, with the mask that they choose too.
    @Test func `A whole symbol is what other encoders make`() throws {
        let code = try #require(QRCode(Array("hello, campus!".utf8)))
        let rows = (0..<code.side).map { y in (0..<code.side).map { code[$0, y] ? "#" : "." }.joined() }
        #expect(
            rows.joined(separator: "\n") == """
                #######.##.#..#######
                #.....#.#..##.#.....#
                #.###.#..##...#.###.#
                #.###.#.##.#..#.###.#
                #.###.#..###..#.###.#
                #.....#..##...#.....#
                #######.#.#.#.#######
                ........##...........
                #.##.###......#..#.##
                #.#.##...##....####.#
                .##...#..###.#.#...##
                ...#...##..##...##.#.
                #..##.#...#.#.##....#
                ........#.#.#.#.#.#..
                #######.##.#....#....
                #.....#.#.####.#.##.#
                #.###.#..#.....#####.
                #.###.#.#.###.#..###.
                #.###.#.#..###.#..#..
                #.....#..###.####...#
                #######.#.#...##..#..
                """
        )
    }

    /// Table 7: the most bytes of each version at level M.
    @Test(arguments: zip([14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412], 1...15))
    func `A version holds what the standard says`(bytes: Int, version: Int) throws {
        #expect(QRVersion(holding: bytes)?.number == version)
        #expect(QRVersion(holding: bytes + 1)?.number == (version == 15 ? nil : version + 1))
        #expect(QRCode([UInt8](repeating: 0x61, count: bytes))?.side == 17 + 4 * version)
    }

    @Test func `Alignment patterns stand where the standard says`() {
        let places = [
            2: [6, 18], 6: [6, 34], 7: [6, 22, 38], 10: [6, 28, 50], 14: [6, 26, 46, 66], 15: [6, 26, 48, 70],
        ]
        for (version, wanted) in places {
            let bytes = [0, 14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362][version - 1] + 1
            #expect(QRVersion(holding: bytes)?.alignment == wanted, "version \(version)")
        }
    }

    @Test func `It is drawn in half blocks, or in two characters a module, with a light margin`() throws {
        let drawing = QRDrawing(try #require(QRCode(Array("hello, campus".utf8))))
        let blocks = drawing.lines(.unicode)
        #expect(blocks.count == 15)
        for line in blocks { #expect(line.columns == 29) }
        let ascii = drawing.lines(.ascii)
        #expect(ascii.count == 29)
        for line in ascii { #expect(line.columns == 58) }
        #expect(drawing.columns(.unicode) == 29 && drawing.columns(.ascii) == 58)
    }
}
