/// A node that holds a crowd's posts, and an empty one.
struct Pair {
    let sender: TemporaryHome
    let receiver: TemporaryHome
    private var crowd: Crowd

    /// Two that hold nothing, for whoever fills the sender by other means.
    init() throws {
        var nobody = SizeOptions()
        (nobody.posts, nobody.writers, nobody.bytes) = (0, 0, 0)
        try self.init(nobody, seed: 0)
    }

    init(_ size: SizeOptions, seed: UInt64) throws {
        crowd = try Crowd(size, seed: seed)
        // A person's, so that something can be written there.
        sender = try TemporaryHome(of: .person)
        receiver = try TemporaryHome(of: .hub)
        try add(posts: size.posts, bytes: size.bytes)
    }

    /// Gives the sender, whose node is not running, some more posts.
    mutating func add(posts: Int, bytes: Int) throws {
        guard posts > 0 else { return }
        try sender.put(crowd.write(posts: posts, bytes: bytes), of: crowd)
    }

    /// The same, while its node is running.
    mutating func add(posts: Int, bytes: Int, to node: RunningNode) throws {
        try node.take(crowd.write(posts: posts, bytes: bytes))
    }

    /// Lets the two compare all that they have when they meet again: no node may run meanwhile.
    func forgetCursors() throws {
        for home in [sender, receiver] { try home.database(.writable).run("DELETE FROM cursors") }
    }

    /// Waits until each of two running nodes has noted where the other one stands, so that it may be stopped.
    ///
    /// A node saves a cursor that comes alone every five seconds at most.
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
