package import Entries
internal import Sync

/// What somebody writes where nothing is wrong is at every node within seconds.
///
/// At the end a comparison has brought whatever was not pushed, named or fetched. So it is none of the checkers that
/// look there: it is looked at before the quiet hour.
package enum LiveChecker {
    package static let name = "live"

    /// What was found, in words.
    ///
    /// `sizes`: how much of the log each running node holds a while after something was written at `writer`, which had
    /// `before` entries of it then.
    package static func look(_ log: LogID, of writer: Int, before: UInt64, at sizes: [Int: UInt64]) -> [String] {
        let size = sizes[writer] ?? 0
        guard size > before else { return ["node \(writer) has \(size) entries of its log, as before it wrote"] }
        return sizes.filter { $0.value != size }.sorted { $0.key < $1.key }.map { number, held in
            "node \(number) holds \(held) of \(size) entries of \(log.description.prefix(8)), the log of node \(writer)"
        }
    }
}

extension Trial {
    private static let livePosts = 3
    /// Some hops with a graft each (`Limits.graftMilliseconds`); where paths are longer than usual, as many ways.
    /// Guesses.
    private static let liveMilliseconds: UInt64 = 5_000
    private static let liveWays: UInt64 = 50

    /// Some people say something, one after the other, and everybody is to have it at once.
    ///
    /// - Throws: `Interrupted`; what a payload says that cannot be made.
    func checkLive() throws {
        for _ in 0..<Self.livePosts {
            let writers = present.filter { $0.machine?.ownLogIsCleared == true && !isOver($0) }
            guard let writer = drawn(of: writers), let log = writer.device?.log else { return }
            let before = size(of: log, at: writer)
            let text = Ledger.text(ledger.drawToken(), "is anybody there")
            let post = try Post(salt: Salt(using: &chance), text: text)
            writer.write(.payload(.post(post)))
            try run(milliseconds: max(Self.liveMilliseconds, Self.liveWays * options.measures[.path].upperBound))
            var sizes: [Int: UInt64] = [:]
            for site in present where site.isRunning { sizes[site.number] = size(of: log, at: site) }
            findings += LiveChecker.look(log, of: writer.number, before: before, at: sizes)
                .map { Finding(LiveChecker.name, $0) }
        }
    }

    private func size(of log: LogID, at site: Site) -> UInt64 {
        let rows = (try? site.home.state())?.frontier ?? []
        return rows.first { $0.log == log }?.size ?? 0
    }
}
