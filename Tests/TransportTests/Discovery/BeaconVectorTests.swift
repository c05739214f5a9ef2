import Entries
import Foundation
import Sodium
import Testing

@testable import Transport

/// Runs `protocol/vectors/discovery.json`.
struct BeaconVectorTests {
    private struct File: Decodable {
        struct Case: Decodable {
            struct Read: Decodable {
                let kind: UInt8
                let port: UInt16
            }

            let name: String
            let `private`: Bool
            let hex: String
            let read: Read?
        }

        let network: String
        let secret: String
        let beacons: [Case]
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test func `Every datagram is read, or ignored`() throws {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let path = root.appendingPathComponent("protocol/vectors/discovery.json")
        let file = try JSONDecoder().decode(File.self, from: Data(contentsOf: path))
        let network = NetworkID(name: file.network)
        var secretBytes = bytes(file.secret)
        let secret = try #require(NetworkSecret(SecretBytes(moving: &secretBytes)))
        let open = BeaconSeal(network: network, secret: nil)
        let closed = BeaconSeal(network: network, secret: secret.presharedKey(in: network))
        for vector in file.beacons {
            let beacon = (vector.private ? closed : open).beacon(in: bytes(vector.hex))
            #expect(beacon?.kind.rawValue == vector.read?.kind, "\(vector.name)")
            #expect(beacon.map { $0.port ?? 0 } == vector.read?.port, "\(vector.name)")
            // One value has one form.
            if let beacon { #expect((vector.private ? closed : open).datagram(beacon) == bytes(vector.hex)) }
        }
        #expect(file.beacons.count == 25)
    }

    @Test func `No two beacons are equal, so that nobody can tell from them which network it is`() {
        let seal = BeaconSeal(network: NetworkID(name: "campus"), secret: nil)
        let first = seal.datagram(Beacon(.call, port: 1))
        let second = seal.datagram(Beacon(.call, port: 1))
        let common = zip(first, second).prefix { $0 == $1 }.count
        #expect(common < 16, "only the mark, the kind and the port are the same")
        #expect(first.suffix(16) != second.suffix(16))
    }
}
