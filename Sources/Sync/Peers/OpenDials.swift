/// The dials whose outcome is not known yet, each with its address; they are numbered from 1 on.
struct OpenDials {
    private var addresses: [DialID: PeerAddress] = [:]
    private var next: UInt64 = 1

    var count: Int { addresses.count }

    subscript(_ dial: DialID) -> PeerAddress? { addresses[dial] }

    mutating func begin(_ address: PeerAddress) -> DialID {
        let dial = DialID(raw: next)
        next += 1
        addresses[dial] = address
        return dial
    }

    /// Returns the address; nil if the dial has ended already.
    mutating func end(_ dial: DialID) -> PeerAddress? {
        addresses.removeValue(forKey: dial)
    }
}
