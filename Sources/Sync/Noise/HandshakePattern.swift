/// A Noise handshake pattern: the tokens of each message (Noise §7).
///
/// More general than XX and XXpsk0, the two that channels use, so that the published Noise vectors test it.
package struct HandshakePattern: Sendable {
    package enum Token: Sendable {
        case e, s, ee, es, se, ss, psk
    }

    /// The keys that the initiator knows before the first message.
    package enum Known: Sendable {
        case nothing, responderStatic
    }

    package let name: String
    package let known: Known
    package let messages: [[Token]]

    package init(name: String, known: Known, messages: [[Token]]) {
        self.name = name
        self.known = known
        self.messages = messages
    }

    /// XX: neither side knows the other's static key beforehand; both send theirs encrypted. For open networks.
    package static let mutual = HandshakePattern(
        name: "XX",
        known: .nothing,
        messages: [[.e], [.e, .ee, .s, .es], [.s, .se]]
    )

    /// XXpsk0: nobody without the network's secret gets an answer. For private networks.
    package static let mutualWithSecret = mutual.withPresharedKeys(at: [0])

    /// The pattern with `psk` modifiers (Noise §9.4): 0 stands before the first message, n after the n-th.
    package func withPresharedKeys(at places: [Int]) -> HandshakePattern {
        var changed = messages
        for place in places {
            if place == 0 {
                changed[0].insert(.psk, at: 0)
            } else {
                changed[place - 1].append(.psk)
            }
        }
        let modifiers = places.map { "psk\($0)" }.joined(separator: "+")
        return HandshakePattern(name: name + modifiers, known: known, messages: changed)
    }

    package var protocolName: String { "Noise_\(name)_25519_ChaChaPoly_BLAKE2b" }

    package var usesPresharedKeys: Bool {
        messages.contains { $0.contains(.psk) }
    }

    /// Bytes of the message at `index` without its payload: its keys and tags.
    package func overhead(ofMessage index: Int) -> Int {
        let tag = 16
        var isKeyed = false
        var total = 0
        for tokens in messages.prefix(index + 1) {
            total = 0
            for token in tokens {
                switch token {
                case .e:
                    total += 32
                    isKeyed = isKeyed || usesPresharedKeys
                case .s:
                    total += isKeyed ? 32 + tag : 32
                case .ee, .es, .se, .ss, .psk:
                    isKeyed = true
                }
            }
            total += isKeyed ? tag : 0
        }
        return total
    }
}
