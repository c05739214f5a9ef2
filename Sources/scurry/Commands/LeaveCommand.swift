// scurry leave NODE

import ArgumentParser
import Entries
import Transport

struct LeaveCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Remove a peer from those that the node always calls.",
        usage: "scurry leave NODE",
        discussion: """
            NODE is an address, the beginning of a node's id, or the note behind it in the peers file. A connection that \
            was dialled there ends. What came from it stays; it may still call. As long as this node hears of addresses \
            from others (scurry config exchange), it may be told of this one again, and call it as one of those.

            Example:
              scurry leave oak.example.edu:7776
            """
    )

    @Argument(help: ArgumentHelp("The peer: an address, an id, or its name.", valueName: "node"))
    var node: String

    @OptionGroup var common: CommonOptions

    func validate() throws {
        if node.isEmpty { throw ValidationError("leave takes a peer: an address, an id, or its name") }
    }

    func run(on console: Console) throws {
        let home = try HomeDoor.open(console.environment)
        let found = try Problems.naming { () throws(HomeError) in try home.leave(matches) }
        if found.count > 1 {
            throw Failure(
                .notFoundOrAmbiguous,
                "\(UsageProblem.withoutInvites(node)) can mean \(found.count) peers",
                hint: "scurry leave \(ShellWord.quoted(found.first?.address.text ?? "HOST:PORT"))",
                candidates: found.map { SafeText(line: $0.description) }
            )
        }
        guard let peer = found.first else { throw absence(home) }
        let done: SafeText = "removed \(peer.address.text)"
        let hearing = NodeNotice.peersChanged(home)
        if let failure = NodeNotice.failure(hearing, .partly, done: done, "calls it until it ends") { throw failure }
        console.tell(done)
    }

    private func absence(_ home: Home) -> Failure {
        let node = node.lowercased()
        let report = NodeGlance(of: home).report
        if let heard = report?.targets.first(where: { !$0.isListed && $0.address == node }) {
            let text: SafeText = "\(SafeText(line: heard.address)) was heard of, and is not in the peers file"
            return Failure(.notFoundOrAmbiguous, "\(text): what never answers is forgotten", hint: "scurry peers")
        }
        let calls = report?.peers.contains {
            $0.direction == .incoming && $0.node.hasPrefix(node) && node.utf8.count >= ShortID.lettersAtLeast
        }
        let why: SafeText =
            calls == true
            ? "\(node) calls this node, and is not in the peers file: there is nothing to remove"
            : "no peer here is called \(UsageProblem.withoutInvites(self.node))"
        return Failure(.notFoundOrAmbiguous, why, hint: "scurry peers")
    }

    private func matches(in peers: [PeerLine], _ known: KnownNodes) -> [PeerLine] {
        if let typed = try? PeerLine(parsing: node), typed.name == nil {
            let here = peers.filter { peer in
                guard peer.address == typed.address else { return false }
                guard let meant = typed.node, let listed = peer.node ?? known[peer.address] else { return true }
                return meant == listed
            }
            if !here.isEmpty { return here }
        }
        let named = peers.filter { $0.name?.lowercased() == node.lowercased() }
        if !named.isEmpty { return named }
        guard node.utf8.count >= ShortID.lettersAtLeast else { return [] }
        return peers.filter { ($0.node ?? known[$0.address])?.description.hasPrefix(node.lowercased()) == true }
    }
}
