/// The error correction of QR codes (ISO/IEC 18004 §7.5): Reed–Solomon over the field of 256 elements of 0x11D.
enum ReedSolomon {
    /// The `count` error correction codewords of a block: the remainder of its data.
    static func remainder(of data: [UInt8], count: Int) -> [UInt8] {
        let divisor = generator(degree: count)
        var remainder = [UInt8](repeating: 0, count: count)
        for byte in data {
            let factor = byte ^ remainder.removeFirst()
            remainder.append(0)
            for index in remainder.indices { remainder[index] ^= product(divisor[index], factor) }
        }
        return remainder
    }

    /// (x − 1)(x − 2)(x − 4)… without its leading 1, the highest power first.
    private static func generator(degree: Int) -> [UInt8] {
        var polynomial = [UInt8](repeating: 0, count: degree - 1) + [1]
        var root: UInt8 = 1
        for _ in 0..<degree {
            for index in polynomial.indices {
                polynomial[index] = product(polynomial[index], root)
                if index + 1 < degree { polynomial[index] ^= polynomial[index + 1] }
            }
            root = product(root, 2)
        }
        return polynomial
    }

    private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var result: UInt16 = 0
        for bit in (0..<8).reversed() {
            result = result << 1 ^ (result >> 7) * 0x11D
            result ^= UInt16(right >> UInt8(bit) & 1) * UInt16(left)
        }
        return UInt8(truncatingIfNeeded: result)
    }
}
