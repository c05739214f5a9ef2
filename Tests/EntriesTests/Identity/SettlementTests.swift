import Entries
import Sodium
import Testing

struct SettlementTests {
    private static func settlement(
        _ writer: Writer,
        network: NetworkID = Writer.network,
        log: LogID? = nil,
        size: UInt64 = 3,
        root: Bytes32? = nil
    ) -> [UInt8] {
        let settlement = Settlement(
            network: network,
            identity: writer.identity,
            log: log ?? writer.log,
            size: size,
            root: root ?? writer.log.raw,
            serial: 9
        )
        return SignedSettlement(signing: settlement, with: writer.root).bytes
    }

    private static func verify(_ bytes: some Collection<UInt8>) throws -> SignedSettlement {
        try SignedSettlement(verifying: bytes, network: Writer.network)
    }

    @Test func `A settlement comes back`() throws {
        let writer = try Writer(1)
        for bytes in [
            Self.settlement(writer), Self.settlement(writer, size: 0, root: .zero),
            Self.settlement(writer, size: EntryLimits.maximumLogEntries),
            Self.settlement(writer, log: LogID(raw: .zero), size: 0, root: .zero),
        ] {
            #expect(bytes.count == 208)
            #expect(try Self.verify(bytes).bytes == bytes)
            #expect(Certificate.claimedIdentity(in: bytes) == writer.identity)
        }
    }

    @Test func `Any bit changed is refused`() throws {
        let bytes = Self.settlement(try Writer(1))
        for bit in 0..<bytes.count * 8 {
            #expect(throws: SettlementError.self) { try Self.verify(bytes.flipping(bit: bit)) }
        }
        #expect(throws: SettlementError.badSignature) { try Self.verify(bytes.flipping(bit: 207 * 8)) }
    }

    @Test func `An impossible size is refused though well signed`() throws {
        let writer = try Writer(1)
        for bytes in [
            Self.settlement(writer, size: 1 << 32), Self.settlement(writer, size: .max),
            Self.settlement(writer, size: 0), Self.settlement(writer, root: .zero),
            Self.settlement(writer, log: LogID(raw: .zero)),
        ] {
            #expect(throws: SettlementError.impossibleSize) { try Self.verify(bytes) }
        }
    }

    @Test func `Another network or length is refused`() throws {
        let writer = try Writer(1)
        let foreign = Self.settlement(writer, network: NetworkID(name: "elsewhere"))
        #expect(throws: SettlementError.foreignNetwork) { try Self.verify(foreign) }
        let bytes = Self.settlement(writer) + [0]
        for count in 0...209 where count != 208 {
            #expect(throws: SettlementError.wrongLength) { try Self.verify(bytes.prefix(count)) }
        }
    }
}
