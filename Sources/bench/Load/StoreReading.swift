import Entries
import Foundation
import Storage

/// The store queries of a feed, without a process around them.
enum StoreReading {
    private static let times = 300
    private static let rows = 20

    /// Medians in milliseconds; adds a thread of twenty posts to the home, whose node is not running.
    static func measure(_ home: TemporaryHome, bytes: Int, seed: UInt64) throws -> Figures {
        var crowd = try Crowd(count: rows, seed: seed &+ 7, posts: 0)
        let thread = try crowd.write(thread: rows - 1, bytes: bytes)
        try home.put(thread.chunks, of: crowd)
        let store = try home.reader()
        let query = FeedQuery(now: UInt64(Date().timeIntervalSince1970 * 1_000), reader: nil)
        // The author and posts that are queried are among the newest of all authors.
        var all = query
        all.limit = StorageLimits.feedPagePosts
        let posts = try store.feed(all).posts
        guard !posts.isEmpty else { throw BenchError("there are no posts") }
        var generator = Generator(seed: seed)
        let chosen = (0..<times).map { _ in posts[Int(generator.next() % UInt64(posts.count))] }

        var figures = Figures()
        figures.add("store_page_milliseconds", try median(chosen) { _ in try store.feed(query).posts.count })
        figures.add(
            "store_page_before_milliseconds",
            try median(chosen) { post in
                var query = query
                query.beyond = post.id
                return try store.feed(query).posts.count
            }
        )
        figures.add(
            "store_author_milliseconds",
            try median(chosen) { post in
                var query = query
                query.authors = .one(post.identity)
                return try store.feed(query).posts.count
            }
        )
        figures.add(
            "store_thread_milliseconds",
            try median(chosen) { _ in try store.thread(thread.root, now: query.now, reader: nil).posts.count }
        )
        return figures
    }

    private static func median(_ posts: [PostRow], _ read: (PostRow) throws -> Int) throws -> Double {
        let times = try posts.map { post in
            let begun = Stopwatch.now()
            guard try read(post) > 0 else { throw BenchError("nothing was read") }
            return (Stopwatch.now() - begun) * 1_000
        }
        return Quantile.of(times, 0.5)
    }
}
