import Entries
import Sodium

/// SplitMix64: a seed that a failing test prints makes the same payloads again.
struct PayloadRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &self) }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    mutating func id<ID: Identifier>() throws -> ID { ID(raw: try bytes32()) }

    mutating func bytes32() throws -> Bytes32 {
        struct Impossible: Error {}
        guard let raw = Bytes32(bytes(32)) else { throw Impossible() }
        return raw
    }

    /// Text of at most this many bytes, from all planes and, often, from their edges.
    mutating func text(atMost limit: Int) -> String {
        var text = String.UnicodeScalarView()
        var left = below(limit + 1)
        while true {
            let plane = UInt32(below(17)) << 16
            let value: UInt32 =
                switch below(4) {
                case 0: UInt32(below(128))
                case 1: plane | UInt32([0, 0xfffe, 0xffff, 0x2f, 0xfeff].randomElement(using: &self) ?? 0)
                default: plane | UInt32(below(0x1_0000))
                }
            guard let scalar = Unicode.Scalar(value) else { continue }
            left -= UTF8.width(scalar)
            if left < 0 { return String(text) }
            text.append(scalar)
        }
    }

    mutating func channels() -> [Channel] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789-")
        var channels: [Channel] = []
        for _ in 0..<below(9) {
            let name = String((0...below(32)).map { _ in alphabet[below(alphabet.count)] })
            if let channel = Channel(name), !channels.contains(channel) { channels.append(channel) }
        }
        return channels
    }

    mutating func payload() throws -> Payload {
        let salt = Salt(using: &self)
        switch below(6) {
        case 0:
            let reply = below(2) == 0 ? nil : Post.Reply(parent: try id(), root: try id())
            return .post(
                try Post(
                    salt: salt,
                    text: text(atMost: 300),
                    title: text(atMost: 40),
                    channels: channels(),
                    reply: reply
                )
            )
        case 1:
            return .edit(try Edit(salt: salt, post: id(), text: text(atMost: 300), title: text(atMost: 40)))
        case 2:
            return .vote(
                try Vote(
                    choices: (0...below(4)).map { _ in
                        Vote.Choice(post: try id(), value: Vote.Value.allCases.randomElement(using: &self) ?? .up)
                    }
                )
            )
        case 3:
            return .follow(
                try Follow(
                    choices: (0...below(4)).map { _ in
                        Follow.Choice(
                            identity: try id(),
                            value: Follow.Value.allCases.randomElement(using: &self) ?? .following
                        )
                    }
                )
            )
        case 4:
            return .profile(
                try Profile(
                    salt: salt,
                    name: below(2) == 0 ? nil : "n" + text(atMost: 63),
                    fullName: below(2) == 0 ? nil : text(atMost: 256),
                    bio: below(2) == 0 ? nil : text(atMost: 200),
                    avatar: below(2) == 0 ? nil : bytes32()
                )
            )
        default:
            return .delete(try Delete(entries: (0...below(4)).map { _ in try id() }))
        }
    }
}
