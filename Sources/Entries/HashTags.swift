package import Sodium

/// The tags of all uses of BLAKE2b-256 (`protocol/README.md` §4).
extension HashTag {
    package static let network = HashTag("scurry/network")
    package static let root = HashTag("scurry/root")
    package static let log = HashTag("scurry/log")
    package static let payload = HashTag("scurry/payload")
    package static let entry = HashTag("scurry/entry")
    package static let node = HashTag("scurry/node")
    package static let item = HashTag("scurry/item")
    package static let end = HashTag("scurry/end")
    package static let presharedKey = HashTag("scurry/psk")
    package static let invite = HashTag("scurry/invite")
    package static let scope = HashTag("scurry/scope")
    package static let bundle = HashTag("scurry/bundle")
    package static let beacon = HashTag("scurry/beacon")
    package static let backup = HashTag("scurry/backup")
}
