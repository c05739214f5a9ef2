/// A node that holds a crowd's posts, and an empty one.
struct Pair {
    let sender: TemporaryHome
    let receiver: TemporaryHome
    private var crowd: Crowd

    /// Two empty homes, if the sender is filled by other means.
    init() throws {
        var nobody = SizeOptions()
        (nobody.posts, nobody.writers, nobody.bytes) = (0, 0, 0)
        try self.init(nobody, seed: 0)
    }

    init(_ size: SizeOptions, seed: UInt64) throws {
        crowd = try Crowd(size, seed: seed)
        // A person's home, so that posts can be written there.
        sender = try TemporaryHome(of: .person)
        receiver = try TemporaryHome(of: .hub)
        try add(posts: size.posts, bytes: size.bytes)
    }

    /// Adds posts to the sender's store; its node is not running.
    mutating func add(posts: Int, bytes: Int) throws {
        guard posts > 0 else { return }
        try sender.put(crowd.write(posts: posts, bytes: bytes), of: crowd)
    }

    /// Adds posts to the sender while its node is running.
    mutating func add(posts: Int, bytes: Int, to node: RunningNode) throws {
        try node.take(crowd.write(posts: posts, bytes: bytes))
    }

    /// Deletes both cursors, so that the next meeting compares everything; no node may be running.
    func forgetCursors() throws {
        for home in [sender, receiver] { try home.database(.writable).run("DELETE FROM cursors") }
    }

    /// Waits until each of two running nodes has saved its cursor of the other, so that it may be stopped.
    ///
    /// A node saves a cursor without entries every five seconds at most.
    func waitForCursors() throws {
        let homes = try [(sender, receiver), (receiver, sender)].map {
            (held: try $0.0.database(.readOnly), meant: try $0.1.database(.readOnly))
        }
        try Stopwatch.wait(for: "two cursors", seconds: 15, every: 20_000) {
            try homes.allSatisfy { home in
                let number = try home.meant.integer("SELECT number FROM home")
                return try number == 0 || home.held.integer("SELECT max(number) FROM cursors") == number
            }
        }
    }
}
