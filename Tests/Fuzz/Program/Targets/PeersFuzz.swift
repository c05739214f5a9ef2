internal import Entries
internal import Sync
internal import Transport

/// The peers file: every line is kept as it was, and a peer is written so that it reads as the same.
enum PeersFuzz {
    static func run(_ input: inout FuzzInput) {
        let text = String(decoding: input.all(), as: UTF8.self)
        var file = PeersFile(parsing: text)
        if PeersFile(parsing: file.text) != file { broken("a file changes when it is written") }
        for peer in file.peers {
            guard let again = try? PeerLine(parsing: peer.description) else { broken("a peer cannot be written") }
            if again != peer { broken("a peer is written as another one") }
            if peer.address.port == 0 || peer.address.host.isEmpty { broken("an address that cannot be dialled") }
        }
        let lines = file.badLines.count
        let peers = file.peers
        for peer in peers.prefix(4) {
            _ = file.add(PeerLine(node: nil, address: peer.address, name: "added"))
            if !file.peers.contains(where: { $0.address == peer.address }) { broken("an added peer is not there") }
        }
        if let first = peers.first {
            _ = file.remove { $0.address == first.address }
            if file.peers.contains(where: { $0.address == first.address }) { broken("a removed peer is there") }
        }
        if file.badLines.count != lines { broken("a line that cannot be read was not kept") }
    }
}

/// An invite: as it stands, and with its check made to fit, which the fuzzer does not find.
enum InviteFuzz {
    static func run(_ input: inout FuzzInput) {
        let isChecked = input.byte() & 1 == 1
        var text = String(decoding: input.all(), as: UTF8.self)
        if isChecked { text += "/" + check(of: text) }
        guard let invite = try? Invite(parsing: text) else { return }
        guard let again = try? Invite(parsing: invite.text) else { broken("what was written cannot be read") }
        let isSame =
            again.node == invite.node && again.address == invite.address && again.networkName == invite.networkName
            && again.text == invite.text
        if !isSame { broken("what was written reads as something else") }
    }

    private static func check(of text: String) -> String {
        Base32.encode(Array(Hashing.invite(Array(text.utf8)).prefix(5)))
    }
}
