import Entries
import TestSupport
import Testing

/// `cut` and `settled` of a vector: a root that the receiver knows.
struct RootVector: Decodable {
    let size: String
    let root: String

    func known() throws -> KnownRoot { KnownRoot(size: try number(size), root: try hex32(root)) }
}

/// `side` of a vector: the settled history that is kept beside another one.
struct SideVector: Decodable {
    let end: String
    let nodes: [String]

    func range() throws -> LogRange {
        try #require(LogRange(bounds: 0..<(try number(end)), nodes: try nodes.map(hex32)))
    }
}
