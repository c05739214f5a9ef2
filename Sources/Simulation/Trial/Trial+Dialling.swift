internal import Sync

/// Dials from node to node.
extension Trial {
    func dial(_ dial: DialID, _ address: PeerAddress, from site: Site) {
        trace.note(now, site.number, "dial", dial.raw)
        let callee = sites.first { Site.address($0.number) == address }
        // Whoever is listed and has left is called for ever: in a network that is quiet, too.
        if callee?.isGone != true { fabric.noteDial(from: site.number) }
        guard let callee else {
            return later(site, in: 50) { site.give(.dialFailed(dial, .nameNotFound)) }
        }
        let path = Fabric.Path(from: site.number, to: callee.number)
        let back = Fabric.Path(from: callee.number, to: site.number)
        if fabric.isBlocked(path) || fabric.isBlocked(back) {
            return later(site, in: 10_000) { site.give(.dialFailed(dial, .timedOut)) }
        }
        later(site, in: 2 * fabric.latency(path)) { [unowned self] in
            guard callee.isRunning else { return site.give(.dialFailed(dial, .refused)) }
            let (here, there) = fabric.connect(site, host: site.number, to: callee, host: callee.number)
            let host = Site.address(site.number).host
            callee.give(.opened(there, .incoming(host: host), ephemeral: .seeded(chance.next(), "ephemeral")))
            site.give(.opened(here, .outgoing(dial), ephemeral: .seeded(chance.next(), "ephemeral")))
        }
    }

    private func later(_ site: Site, in milliseconds: UInt64, _ body: @escaping () -> Void) {
        let life = site.life
        plan(in: milliseconds) { if site.life == life { body() } }
    }
}
