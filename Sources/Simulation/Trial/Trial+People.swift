internal import Entries
internal import Storage

/// What people do all day.
extension Trial {
    /// Each device's person does something now and then, by day more than by night.
    func employ() {
        for site in sites where site.device != nil { planNext(site) }
    }

    private func planNext(_ site: Site) {
        // In a short trial everybody says something all the same.
        let mean: UInt64 = (8..<23).contains(hour) ? min(1_500_000, options.milliseconds / 12) : 10_800_000
        plan(in: 1_000 + drawn(mean)) { [unowned self] in
            guard isAlive else { return }
            act(site)
            planNext(site)
        }
    }

    /// Exponential, in milliseconds.
    private func drawn(_ mean: UInt64) -> UInt64 {
        // A sum of four is near enough, and needs no logarithm that two machines might round in two ways.
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

    /// A person says two things on two devices in the same millisecond: the fold has to choose, everywhere the same.
    private func contradict(_ site: Site) {
        guard let person = site.device?.person, let post = visiblePosts(site).first else { return }
        let others = present.filter { $0.device?.person == person && $0.number != site.number }
        if !others.isEmpty { contradict(on: [site] + others, post.id, patience: 100) }
    }

    private func contradict(on devices: [Site], _ post: EntryID, patience: Int) {
        guard isAlive, let identity = devices.first?.device?.identity else { return }
        // Who has something else to write writes this a little later.
        guard devices.allSatisfy({ $0.isFree(.writes) }) else {
            guard patience > 0 else { return }
            return plan(in: 3) { [unowned self] in contradict(on: devices, post, patience: patience - 1) }
        }
        // The clock of an entry is the greater of the wall's and the last one's: a wall that is ahead of whatever anybody
        // knows of the person is everybody's.
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

    /// What the person sees on the first page.
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
        let choice = chance.next() % 100
        if options.store == .light || choice < 35 { return (try? post(salt, nil)).map { .payload(.post($0)) } }
        func pick(_ posts: [PostRow]) -> PostRow? {
            posts.isEmpty ? nil : posts[Int(chance.next() % UInt64(posts.count))]
        }
        switch choice {
        case ..<50:
            guard let parent = pick(visiblePosts(site)) else { return nil }
            let reply = Post.Reply(parent: parent.id, root: parent.reply?.root ?? parent.id)
            return (try? post(salt, reply)).map { .payload(.post($0)) }
        case ..<73:
            let count = 1 + Int(chance.next() % 3)
            let choices = (0..<count).compactMap { _ in
                pick(visiblePosts(site)).map { post in
                    Vote.Choice(post: post.id, value: Vote.Value(rawValue: UInt8(chance.next() % 3)) ?? .up)
                }
            }
            return (try? Vote(choices: choices)).map { .payload(.vote($0)) }
        case ..<82:
            guard let own = pick(ownPosts(site)) else { return nil }
            return (try? Edit(salt: salt, post: own.id, text: text())).map { .payload(.edit($0)) }
        case ..<89:
            return pick(ownPosts(site)).map { .delete($0.id) }
        case ..<96:
            guard let other = pick(visiblePosts(site)) else { return nil }
            let value: Follow.Value = chance.next() % 3 == 0 ? .withdrawn : .following
            return (try? Follow(choices: [.init(identity: other.identity, value: value)])).map { .payload(.follow($0)) }
        default:
            return (try? Profile(salt: salt, name: "name \(chance.next() % 1_000)")).map { .payload(.profile($0)) }
        }
    }

    private func post(_ salt: Salt, _ reply: Post.Reply?) throws -> Post {
        let names = ["squirrels", "cs193", "food", "rides"]
        let channels = chance.next() % 2 == 0 ? [names[Int(chance.next() % 4)]] : []
        return try Post(salt: salt, text: text(), channels: channels.compactMap { Channel($0) }, reply: reply)
    }
}
