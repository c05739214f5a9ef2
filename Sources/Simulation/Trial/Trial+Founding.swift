internal import Entries
internal import Sync

/// The nodes and people of a trial.
extension Trial {
    /// Creates nodes and people: every third person has two devices, every tenth three. Every tenth node is a hub
    /// without a person, every fifth, hubs included, is always on, and each lists up to three others.
    func found() throws {
        var person = 0
        var places: [Int] = []
        while places.count < options.nodes {
            let devices = person % 10 == 9 ? 3 : person % 3 == 2 ? 2 : 1
            places += Array(repeating: person, count: devices)
            person += 1
        }
        for number in 0..<options.nodes {
            // A hub only relays; the first node is never a hub.
            let isHub = number % 10 == 5
            let device = isHub ? nil : nextDevice(of: places[number])
            let habit: Site.Habit = isHub || number % 5 == 0 ? .always : number % 5 < 3 ? .byDay : .nowAndThen
            let home: any TrialHome
            switch options.store {
            case .sqlite: home = try FileHome(number: number, in: directory, network: network)
            case .light: home = LightHome()
            }
            // Mostly small: the logs of a trial are short, and a window is to leave a gap in them.
            let window = [2, 6, 20, 1_024][Int(chance.next() % 4)]
            sites.append(
                Site(
                    number,
                    in: self,
                    home: home,
                    habit: habit,
                    device: device,
                    peers: peers(of: number),
                    window: UInt64(window)
                )
            )
        }
        for site in sites {
            if options.faults.contains(.clock) {
                site.clockError = drawnEitherWay(.clockSkew)
                if site.clockError != 0 { faults[.clock, default: 0] += 1 }
            }
            plan(in: chance.next() % 30_000) { [unowned self] in move(in: site) }
        }
    }

    /// Creates the home, registers the device and starts the node.
    private func move(in site: Site) {
        do {
            _ = try site.home.begin(drawRun())
            if let device = site.device { try site.home.register(device) }
            try site.home.close()
        } catch {
            noteStorage(error, at: site)
        }
        site.start()
        live(site)
    }

    /// Listed peers of a node: the one before, one that is always on, and a random one.
    private func peers(of number: Int) -> [PeerTarget] {
        var numbers: [Int] = []
        let always = (0..<options.nodes).filter { $0 % 5 == 0 && $0 != number }
        if number > 0 { numbers.append(number - 1) }
        if !always.isEmpty { numbers.append(always[Int(chance.next() % UInt64(always.count))]) }
        if options.nodes > 1 { numbers.append(Int(chance.next() % UInt64(options.nodes))) }
        var targets: [PeerTarget] = []
        for other in numbers where other != number && !targets.contains(where: { $0.address == Site.address(other) }) {
            targets.append(PeerTarget(address: Site.address(other), node: nil, origin: .listed))
        }
        return targets
    }

    /// Switches the node on and off, by its habit.
    private func live(_ site: Site) {
        guard isAlive else { return }
        switch site.habit {
        case .always: return
        case .byDay:
            let isDay = (7..<23).contains(hour)
            site.isWanted = isDay
            if isDay { site.start() } else { site.stop() }
            // Checked every 30 to 90 min.
            plan(in: 1_800_000 + chance.next() % Self.hourMilliseconds) { [unowned self] in live(site) }
        case .nowAndThen:
            site.isWanted.toggle()
            if site.isWanted { site.start() } else { site.stop() }
            let hours: UInt64 = site.isWanted ? 3 : (8..<23).contains(hour) ? 2 : 6
            plan(in: 600_000 + chance.next() % (hours * Self.hourMilliseconds)) { [unowned self] in live(site) }
        }
    }
}
