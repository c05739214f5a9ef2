internal import Entries
internal import Storage
internal import Sync

/// What people write in the course of a trial.
extension Trial {
    /// Plans the first action at each device; people act more by day than by night.
    func employ() {
        for site in sites where site.device != nil { planNext(site) }
    }

    private func planNext(_ site: Site) {
        // Shorter in a short trial, so that everybody writes something.
        let mean: UInt64 = (8..<23).contains(hour) ? min(1_500_000, options.milliseconds / 12) : 10_800_000
        plan(in: 1_000 + drawn(mean)) { [unowned self] in
            guard isAlive else { return }
            act(site)
            planNext(site)
        }
    }

    /// A random time with this mean, milliseconds.
    private func drawn(_ mean: UInt64) -> UInt64 {
        // A sum of four draws is near enough to an exponential, and needs no logarithm, which two machines might round
        // differently.
        (0..<4).reduce(0) { sum, _ in sum + chance.next() % (mean / 2 + 1) }
    }

    private func act(_ site: Site) {
        // A burst now and then.
        let count = chance.next() % 12 == 0 ? 2 + chance.next() % 6 : 1
        for _ in 0..<count {
            guard let words = words(for: site) else { continue }
            site.write(words)
        }
        if chance.next() % 4 == 0 { contradict(site) }
    }

    /// A person votes differently on two devices in the same millisecond: every fold has to choose alike.
    private func contradict(_ site: Site) {
        guard let person = site.device?.person, let post = visiblePosts(site).first else { return }
        let others = present.filter { $0.device?.person == person && $0.number != site.number }
        if !others.isEmpty { contradict(on: [site] + others, post.id, patience: 100) }
    }

    private func contradict(on devices: [Site], _ post: EntryID, patience: Int) {
        guard isAlive, let identity = devices.first?.device?.identity else { return }
        // If a device is busy with another write, all wait and try again, 3 ms later.
        guard devices.allSatisfy({ $0.isFree(.writes) }) else {
            guard patience > 0 else { return }
            return plan(in: 3) { [unowned self] in contradict(on: devices, post, patience: patience - 1) }
        }
        // An entry's clock is the greater of the wall clock and the person's last known clock + 1: with a wall clock
        // ahead of every clock of the person, all devices give the same.
        let moment = devices.map(\.wall).reduce(ledger.clock(of: identity) + 1, max)
        for (place, device) in devices.enumerated() {
            let value: Vote.Value = place % 2 == 0 ? .up : .down
            let difference = Int64(moment) - Int64(device.wall)
            let healing = healings
            device.clockError += difference
            if let vote = try? Vote(choices: [.init(post: post, value: value)]) { device.write(.payload(.vote(vote))) }
            plan(in: 20) { [unowned self] in
                if healing == healings { device.clockError -= difference }
            }
        }
    }

    /// The first twelve posts of the person's feed.
    private func visiblePosts(_ site: Site) -> [PostRow] {
        guard let reader = site.home.reader else { return [] }
        var query = FeedQuery(now: site.wall, reader: site.device?.identity)
        query.limit = 12
        return (try? reader.feed(query).posts) ?? []
    }

    private func ownPosts(_ site: Site) -> [PostRow] {
        guard let reader = site.home.reader, let identity = site.device?.identity else { return [] }
        var query = FeedQuery(now: site.wall, reader: identity)
        query.authors = .one(identity)
        query.limit = 12
        return (try? reader.feed(query).posts) ?? []
    }

    private func text() -> String {
        let words = ["acorn", "oak", "library", "lunch", "rain", "exam", "bicycle", "squirrel", "tree", "lecture"]
        let count = 1 + chance.next() % (chance.next() % 20 == 0 ? 400 : 12)
        let rest = (0..<count).map { _ in words[Int(chance.next() % UInt64(words.count))] }.joined(separator: " ")
        return Ledger.text(ledger.drawToken(), rest)
    }

    private func words(for site: Site) -> Site.Words? {
        let salt = Salt(using: &chance)
        let deed = Deed(at: chance.next() % 100)
        func pick(_ posts: [PostRow]) -> PostRow? {
            posts.isEmpty ? nil : posts[Int(chance.next() % UInt64(posts.count))]
        }
        // A light store has no reader, which would show what to reply to.
        switch options.store == .light ? Deed.post : deed {
        case .post:
            return (try? post(salt, nil)).map { .payload(.post($0)) }
        case .reply:
            guard let parent = pick(visiblePosts(site)) else { return nil }
            let reply = Post.Reply(parent: parent.id, root: parent.reply?.root ?? parent.id)
            return (try? post(salt, reply)).map { .payload(.post($0)) }
        case .vote:
            let count = 1 + Int(chance.next() % 3)
            let choices = (0..<count).compactMap { _ in
                pick(visiblePosts(site)).map { post in
                    Vote.Choice(post: post.id, value: Vote.Value(rawValue: UInt8(chance.next() % 3)) ?? .up)
                }
            }
            return (try? Vote(choices: choices)).map { .payload(.vote($0)) }
        case .edit:
            guard let own = pick(ownPosts(site)) else { return nil }
            return (try? Edit(salt: salt, post: own.id, text: text())).map { .payload(.edit($0)) }
        case .delete:
            return pick(ownPosts(site)).map { .delete($0.id) }
        case .follow:
            guard let other = pick(visiblePosts(site)) else { return nil }
            let value: Follow.Value = chance.next() % 3 == 0 ? .withdrawn : .following
            return (try? Follow(choices: [.init(identity: other.identity, value: value)])).map { .payload(.follow($0)) }
        case .profile:
            return (try? Profile(salt: salt, name: "name \(chance.next() % 1_000)")).map { .payload(.profile($0)) }
        }
    }

    private func post(_ salt: Salt, _ reply: Post.Reply?) throws -> Post {
        let names = ["squirrels", "cs193", "food", "rides"]
        let channels = chance.next() % 2 == 0 ? [names[Int(chance.next() % 4)]] : []
        return try Post(salt: salt, text: text(), channels: channels.compactMap { Channel($0) }, reply: reply)
    }
}

/// What a person writes; the raw value: in how many cases of a hundred it is this or one before it.
private enum Deed: UInt64, CaseIterable {
    case post = 35
    case reply = 50
    case vote = 73
    case edit = 82
    case delete = 89
    case follow = 96
    case profile = 100

    /// - Parameter place: a number below 100.
    init(at place: UInt64) {
        self = Self.allCases.first { place < $0.rawValue } ?? .profile
    }
}
