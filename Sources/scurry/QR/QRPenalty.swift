/// The penalty of a symbol (ISO/IEC 18004 §7.8.3): the mask with the least is chosen. Any mask can be read.
struct QRPenalty {
    private let code: QRCode

    init(_ code: QRCode) {
        self.code = code
    }

    var total: Int {
        let lines = (0..<code.side).flatMap { at in
            [(0..<code.side).map { code[$0, at] }, (0..<code.side).map { code[at, $0] }]
        }
        return lines.reduce(0) { $0 + runs($1) + finders($1) } + blocks + balance
    }

    /// Penalty for five modules of one colour in a row, and for each further one.
    private func runs(_ line: [Bool]) -> Int {
        var penalty = 0
        var count = 0
        for index in line.indices {
            count = index > 0 && line[index] == line[index - 1] ? count + 1 : 1
            if count == 5 { penalty += 3 } else if count > 5 { penalty += 1 }
        }
        return penalty
    }

    /// Penalty for patterns like a finder: 1:1:3:1:1 with four light modules on one side.
    private func finders(_ line: [Bool]) -> Int {
        let core: [Bool] = [true, false, true, true, true, false, true]
        let light = [Bool](repeating: false, count: 4)
        guard line.count >= 11 else { return 0 }
        return (0...line.count - 11).reduce(0) { penalty, start in
            let part = line[start..<start + 11]
            return penalty + (part.elementsEqual(core + light) || part.elementsEqual(light + core) ? 40 : 0)
        }
    }

    private var blocks: Int {
        var penalty = 0
        for y in 1..<code.side {
            for x in 1..<code.side {
                let colour = code[x, y]
                if code[x - 1, y] == colour, code[x, y - 1] == colour, code[x - 1, y - 1] == colour { penalty += 3 }
            }
        }
        return penalty
    }

    /// Penalty for the share of dark modules: its distance from one half, in steps of five hundredths.
    private var balance: Int {
        var dark = 0
        for y in 0..<code.side {
            for x in 0..<code.side where code[x, y] { dark += 1 }
        }
        return abs(dark * 20 - code.side * code.side * 10) / (code.side * code.side) * 10
    }
}
