import Entries
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/log.json` but for its chunks; it shares nothing with the sources.
struct LogVectorTests {
    private struct File: Decodable {
        struct Header: Decodable {
            let name: String
            let version: UInt8
            let flags: UInt8
            let kind: UInt16
            let log: String
            let sequence: String
            let time: String
            let clock: String
            let payload: String
            let hex: String
            let id: String
        }

        struct Packed: Decodable {
            let name: String
            let log: String
            let start: String
            let count: Int
            let hex: String
            let verdict: String
            let ids: [String]
        }

        struct Tree: Decodable {
            let size: Int
            let root: String
            let middle: Int
            let left: [String]
            let right: [String]
        }

        struct Head: Decodable {
            let name: String
            let network: String
            let device: String
            let log: String
            let size: String
            let root: String
            let signature: String
            let verdict: String
        }

        struct Evidence: Decodable {
            let name: String
            let network: String
            let device: String
            let hex: String
            let verdict: String
        }

        let headers: [Header]
        let packed: [Packed]
        let trees: [Tree]
        let heads: [Head]
        let evidence: [Evidence]
    }

    @Test func `Headers and entry ids`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).headers {
            let entry = Entry(
                version: vector.version,
                flags: vector.flags,
                kind: vector.kind,
                log: LogID(raw: try hex32(vector.log)),
                sequence: try number(vector.sequence),
                time: try number(vector.time),
                clock: try number(vector.clock),
                payload: try hex(vector.payload)
            )
            #expect(entry.header.bytes.text() == vector.hex, "\(vector.name)")
            #expect(entry.id.raw.description == vector.id, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 4)
    }

    @Test func `Packed entries get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).packed {
            let bytes = try hex(vector.hex)
            let log = LogID(raw: try hex32(vector.log))
            let start = try number(vector.start)
            var verdict = "valid"
            do throws(EntryCodingError) {
                let entries = try EntryCoding.decode(bytes[...], count: vector.count, log: log, start: start)
                #expect(entries.map(\.id.raw.description) == vector.ids, "\(vector.name)")
                #expect(EntryCoding.encode(entries) == bytes, "\(vector.name)")
            } catch {
                verdict = "\(error)"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 119)
    }

    @Test func `Trees and compact ranges`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).trees {
            // Leaf i is SHA-256 of i as a u64.
            let leaves = (0..<UInt64(vector.size)).map { index in
                var writer = ByteWriter()
                writer.append(index)
                return SHA256.hash(writer.bytes)
            }
            var left = LogRange()
            for leaf in leaves[..<vector.middle] { left.append(leaf: leaf) }
            var right = LogRange(at: UInt64(vector.middle))
            for leaf in leaves[vector.middle...] { right.append(leaf: leaf) }
            #expect(left.nodes.map(\.description) == vector.left)
            #expect(right.nodes.map(\.description) == vector.right)
            let result1 = left.append(right)
            #expect(result1)
            #expect(left.root?.description == vector.root)
            ran += 1
        }
        #expect(ran == 16)
    }

    @Test func `Heads get their verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).heads {
            let head = Head(
                log: LogID(raw: try hex32(vector.log)),
                size: try number(vector.size),
                root: try hex32(vector.root),
                signature: try #require(Signature(try hex(vector.signature)))
            )
            let isValid = head.isValid(
                network: NetworkID(raw: try hex32(vector.network)),
                device: DeviceID(raw: try hex32(vector.device))
            )
            #expect((isValid ? "valid" : "badSignature") == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 10)
    }

    @Test func `Evidence gets its verdict`() throws {
        var ran = 0
        for vector in try Vectors.own("log.json", as: File.self).evidence {
            var verdict = "malformed"
            if let evidence = ForkEvidence(try hex(vector.hex)) {
                #expect(evidence.bytes.text() == vector.hex)
                let network = NetworkID(raw: try hex32(vector.network))
                let device = DeviceID(raw: try hex32(vector.device))
                verdict = evidence.isProof(network: network, device: device) ? "proof" : "noProof"
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 29)
    }
}
