import Entries
import Sodium
import TestSupport
import Testing

struct HeadTests {
    @Test func `A head holds for its network, log, size, root and device alone`() throws {
        let writer = try Writer(1)
        var random = SeededRandom.announced()
        let root = random.bytes32()
        let head = Head(signing: writer.log, size: 7, root: root, network: Writer.network, with: writer.device)
        #expect(head.isValid(network: Writer.network, device: writer.deviceID))

        let other = LogID(raw: random.bytes32())
        let near = [
            Head(log: other, size: 7, root: root, signature: head.signature),
            Head(log: writer.log, size: 8, root: root, signature: head.signature),
            Head(log: writer.log, size: 7, root: .zero, signature: head.signature),
        ]
        for head in near { #expect(!head.isValid(network: Writer.network, device: writer.deviceID)) }
        #expect(!head.isValid(network: NetworkID(name: "elsewhere"), device: writer.deviceID))
        #expect(!head.isValid(network: Writer.network, device: DeviceID(raw: writer.root.publicKey)))
        for bit in 0..<512 {
            let signature = try #require(Signature(head.signature.bytes.flipping(bit: bit)))
            let changed = Head(log: writer.log, size: 7, root: root, signature: signature)
            #expect(!changed.isValid(network: Writer.network, device: writer.deviceID))
        }
    }
}
