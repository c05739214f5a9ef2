import Entries
import Foundation
import Sodium
import TestSupport
import Testing

@testable import Sync

/// Runs `protocol/vectors/channel.json`, whose Noise shares nothing with the sources.
struct ChannelVectorTests {
    private struct File: Decodable {
        struct Keys: Decodable {
            let staticPrivate: String
            let staticPublic: String
            let ephemeralPrivate: String
        }

        struct Sent: Decodable {
            let from: String
            let wire: String
        }

        struct Handshake: Decodable {
            let initiator: Keys
            let responder: Keys
            let messages: [Sent]
            let handshakeHash: String
        }

        struct Transport: Decodable {
            struct Whole: Decodable {
                let type: UInt8
                let body: String
            }

            let from: String
            let name: String
            let plaintext: String
            let wire: String
            let completes: [Whole]
        }

        struct Rekey: Decodable {
            let keyBefore: String
            let keyAfter: String
            let message65536: String
            let message65537: String
            let counterAfter: UInt64
        }

        struct Refused: Decodable {
            let name: String
            let receiver: String
            let receives: [String]
            let verdict: String
            let expected: String?
        }

        struct Private: Decodable {
            struct Case: Decodable {
                let name: String
                let receives: [String]
                let sends: String
            }

            let secret: String
            let psk: String
            let cases: [Case]
        }

        let networkId: String
        let handshake: Handshake
        let transport: [Transport]
        let rekey: Rekey
        let refused: [Refused]
        let privateNetwork: Private
    }

    private let file: File

    init() throws {
        file = try Vectors.own("channel.json", as: File.self, keys: .inCamelCase)
    }

    private func end(_ role: String, expecting expected: NodeID? = nil) throws -> SecureChannel {
        let isInitiator = role == "initiator"
        let keys = isInitiator ? file.handshake.initiator : file.handshake.responder
        let network = NetworkID(raw: try #require(Bytes32([UInt8](hex: file.networkId))))
        let key = try agreementKey(keys.staticPrivate)
        let ephemeral = try agreementKey(keys.ephemeralPrivate)
        guard isInitiator else { return .responder(in: network, as: key, ephemeral: ephemeral) }
        return .initiator(in: network, as: key, ephemeral: ephemeral, expecting: expected)
    }

    private func state(_ role: HandshakeState.Role, _ keys: File.Keys) throws -> HandshakeState {
        HandshakeState(
            .mutual,
            role: role,
            prologue: Array("scurry/1".utf8) + [UInt8](hex: file.networkId),
            keys: HandshakeState.Keys(
                staticKey: try agreementKey(keys.staticPrivate),
                ephemeral: try agreementKey(keys.ephemeralPrivate)
            )
        )
    }

    private func agreementKey(_ digits: String) throws -> AgreementKey {
        var bytes = [UInt8](hex: digits)
        return try #require(AgreementKey(secret: SecretBytes(moving: &bytes)))
    }

    @Test func `The handshake is the same bytes, and so is what follows`() throws {
        var ends = ["initiator": try end("initiator"), "responder": try end("responder")]
        var pending = ends["initiator"]?.start() ?? []
        for sent in file.handshake.messages {
            #expect(pending == [UInt8](hex: sent.wire))
            let receiver = sent.from == "initiator" ? "responder" : "initiator"
            let events = try #require(try ends[receiver]?.receive(pending))
            pending = events.sent
            for case .established(let remote) in events {
                let keys = sent.from == "initiator" ? file.handshake.initiator : file.handshake.responder
                #expect(Array(remote.bytes) == [UInt8](hex: keys.staticPublic))
            }
        }
        #expect(file.handshake.messages.count == 3)
        #expect(ends.values.allSatisfy { $0.isOpen })

        for message in file.transport {
            let receiver = message.from == "initiator" ? "responder" : "initiator"
            let events = try ends[receiver]?.receive([UInt8](hex: message.wire))
            let whole = message.completes.map {
                ChannelEvent.message(Frame(type: $0.type, body: [UInt8](hex: $0.body)))
            }
            #expect(events == whole, "\(message.name)")
        }
        #expect(file.transport.count == 9)
    }

    /// A channel keeps the hash to itself: it is read from Noise states, which say the same bytes.
    @Test func `Both sides end the handshake with its hash`() throws {
        var initiator = try state(.initiator, file.handshake.initiator)
        var responder = try state(.responder, file.handshake.responder)
        for sent in file.handshake.messages {
            let message = Array([UInt8](hex: sent.wire).dropFirst(2))
            if sent.from == "initiator" {
                #expect(try initiator.write([]) == message)
                #expect(try responder.read(message) == [])
            } else {
                #expect(try responder.write([]) == message)
                #expect(try initiator.read(message) == [])
            }
        }
        #expect(initiator.isFinished && responder.isFinished)
        #expect(initiator.handshakeHash == [UInt8](hex: file.handshake.handshakeHash))
        #expect(responder.handshakeHash == [UInt8](hex: file.handshake.handshakeHash))
    }

    @Test func `What fills its transport messages is sealed to the same bytes`() throws {
        let (initiator, responder) = try established()
        var ends = ["initiator": initiator, "responder": responder]
        var counts = ["initiator": 0, "responder": 0]
        for message in file.transport {
            // A node puts whole protocol messages into its transport messages; of the others only the count goes on.
            let frames = message.completes.map { Frame(type: $0.type, body: [UInt8](hex: $0.body)) }
            let length = frames.reduce(0) { $0 + Frame.headerBytes + $1.body.count }
            guard length == message.plaintext.count / 2, !frames.isEmpty, counts[message.from] == 0 else { continue }
            #expect(ends[message.from]?.seal(frames) == [UInt8](hex: message.wire), "\(message.name)")
            counts[message.from] = 1
        }
        #expect(counts == ["initiator": 1, "responder": 1])
    }

    @Test func `The key changes after 65,536 messages`() throws {
        var key = [UInt8](hex: file.rekey.keyBefore)
        let state = CipherState(key: SecretBytes(moving: &key))
        var cipher = TransportCipher(state, rekeyInterval: Limits.rekeyIntervalMessages)
        var last: [UInt8] = []
        for _ in 0..<65_536 { last = Self.seal(&cipher) }
        #expect(last == Array([UInt8](hex: file.rekey.message65536).dropFirst(2)))
        #expect(Self.seal(&cipher) == Array([UInt8](hex: file.rekey.message65537).dropFirst(2)))
        #expect(file.rekey.counterAfter == Limits.rekeyIntervalMessages)
    }

    @Test func `What is refused gets its verdict`() throws {
        var ran = 0
        for vector in file.refused {
            let expected = try vector.expected.map { NodeID(raw: try #require(Bytes32([UInt8](hex: $0)))) }
            var channel = try end(vector.receiver, expecting: expected)
            if vector.receiver == "initiator" { _ = channel.start() }
            var verdict = "nothing"
            for bytes in vector.receives {
                let wasOpen = channel.isOpen
                do throws(ChannelViolation) {
                    for case .established(let remote) in try channel.receive([UInt8](hex: bytes)) {
                        let keys = vector.receiver == "initiator" ? file.handshake.initiator : file.handshake.responder
                        if Array(remote.bytes) == [UInt8](hex: keys.staticPublic) { verdict = "connectedToSelf" }
                    }
                } catch {
                    verdict = Self.name(error, wasOpen: wasOpen)
                    // The last bytes, and no earlier ones, are what is refused.
                    #expect(bytes == vector.receives.last, "\(vector.name)")
                    #expect(!channel.isOpen)
                }
            }
            #expect(verdict == vector.verdict, "\(vector.name)")
            ran += 1
        }
        #expect(ran == 31)
    }

    @Test func `A private network's node answers who knows the secret, and to everybody else it is silent`() throws {
        let network = NetworkID(raw: try #require(Bytes32([UInt8](hex: file.networkId))))
        var bytes = [UInt8](hex: file.privateNetwork.secret)
        let psk = try #require(NetworkSecret(SecretBytes(moving: &bytes))).presharedKey(in: network)
        #expect(psk.withUnsafeBytes { Array($0) } == [UInt8](hex: file.privateNetwork.psk))
        let keys = file.handshake.responder
        for vector in file.privateNetwork.cases {
            var channel = SecureChannel.responder(
                in: network,
                as: try agreementKey(keys.staticPrivate),
                ephemeral: try agreementKey(keys.ephemeralPrivate),
                secret: psk
            )
            var sent: [UInt8] = []
            for bytes in vector.receives { sent += try channel.receive([UInt8](hex: bytes)).sent }
            #expect(sent == [UInt8](hex: vector.sends), "\(vector.name)")
        }
        #expect(file.privateNetwork.cases.count == 16)
        #expect(file.privateNetwork.cases.count { $0.sends.isEmpty } == 13)
    }

    private func established() throws -> (SecureChannel, SecureChannel) {
        var (initiator, responder) = (try end("initiator"), try end("responder"))
        let second = try responder.receive(initiator.start()).sent
        _ = try responder.receive(try initiator.receive(second).sent)
        return (initiator, responder)
    }

    private static func seal(_ cipher: inout TransportCipher) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 + ChaChaPoly.tagCount)
        bytes.withUnsafeMutableBytes { cipher.seal($0) }
        return bytes
    }

    /// The name in `protocol/sync.md`, Violations.
    private static func name(_ violation: ChannelViolation, wasOpen: Bool) -> String {
        switch violation {
        case .handshakeRefused: "\(SyncViolation.handshake)"
        case .noiseMessageLength: wasOpen ? "\(SyncViolation.decryption)" : "\(SyncViolation.handshake)"
        case .wrongNode: "wrongNode"
        case .decryptionFailed: "\(SyncViolation.decryption)"
        case .messageLength: "\(SyncViolation.messageLength)"
        }
    }
}
