/// A 64-bit integer, which a file has as a decimal string.
package struct Decimal64: Decodable, Equatable, Sendable {
    package let value: UInt64

    package init(_ value: UInt64) {
        self.value = value
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let value = UInt64(text) else { throw Malformed(text: text) }
        self.value = value
    }
}

/// A text that equals another one byte by byte.
package struct ExactText: Decodable, Equatable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    package static func == (left: Self, right: Self) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
}

/// `protocol/vectors/fold.json`.
package struct FoldFile: Decodable, Sendable {
    package let network: String
    package let logs: [Log]
    package let cases: [Case]

    package static func read() throws -> FoldFile { try Vectors.own("fold.json", keys: .inCamelCase) }

    package struct Log: Decodable, Sendable {
        package let log: String
        package let identity: String
        package let certificate: String
        package let deviceSeed: String
    }

    package struct Case: Decodable, Sendable {
        package let name: String
        package let now: Decimal64
        package let entries: [Entry]
        package let orders: [[Int]]
        package let posts: [Post]
        package let feeds: [Feed]
        package let tallies: [Tally]
        package let people: [Person]
        package let covered: [String]
        package let wanted: [String]
    }

    package struct Entry: Decodable, Sendable {
        package let identity: String
        package let log: String
        package let sequence: Decimal64
        package let version: UInt8
        package let flags: UInt8
        package let kind: UInt16
        package let time: Decimal64
        package let clock: Decimal64
        package let payload: String?
        package let hex: String
        package let id: String
    }

    package struct Post: Decodable, Equatable, Sendable {
        package let id: String
        package let identity: String
        package let time: Decimal64
        package let deleted: Bool
        package let edited: Bool
        package let text: ExactText?
        package let title: ExactText?
        package let channels: [String]
        package let parent: String?
        package let root: String?

        package init(
            id: String,
            identity: String,
            time: UInt64,
            deleted: Bool,
            edited: Bool,
            words: (text: String, title: String)?,
            channels: [String],
            reply: (parent: String, root: String)?
        ) {
            self.id = id
            self.identity = identity
            self.time = Decimal64(time)
            self.deleted = deleted
            self.edited = edited
            text = words.map { ExactText($0.text) }
            title = words.map { ExactText($0.title) }
            self.channels = channels
            parent = reply.map { $0.parent }
            root = reply.map { $0.root }
        }
    }

    package struct Feed: Decodable, Sendable {
        package let reader: String?
        package let posts: [String]
    }

    package struct Tally: Decodable, Sendable {
        package let id: String
        package let up: [String]
        package let down: [String]
    }

    package struct Person: Decodable, Sendable {
        package let identity: String
        package let name: ExactText?
        package let fullName: ExactText?
        package let bio: ExactText?
        package let avatar: String?
        package let follows: [String]
        package let nextClock: Decimal64
    }
}

/// `protocol/vectors/counted.json`.
package struct CountedFile: Decodable, Sendable {
    package let network: String
    package let device: String
    package let log: String
    package let ids: [String]
    package let cases: [Case]

    package static func read() throws -> CountedFile { try Vectors.own("counted.json", keys: .inCamelCase) }

    package struct Case: Decodable, Sendable {
        package let name: String
        package let stored: Decimal64
        package let head: Decimal64
        package let pending: Pending?
        package let gap: Gap?
        package let cuts: [Root]
        package let settlements: [Settled]
        package let earlier: Decimal64?
        package let drops: Bool
        package let complete: Bool
        package let ceiling: Decimal64?
        package let counted: Decimal64
        package let root: String
        package let id: String?
        /// Left out where `drops`.
        package let under: String?
    }

    package struct Pending: Decodable, Sendable {
        package let size: Decimal64
        package let nodes: [String]
    }

    package struct Gap: Decodable, Sendable {
        package let start: Decimal64
        package let end: Decimal64
        package let before: [String]
        package let nodes: [String]
    }

    package struct Root: Decodable, Sendable {
        package let size: Decimal64
        package let root: String
    }

    package struct Settled: Decodable, Sendable {
        package let size: Decimal64
        package let root: String
        package let serial: Decimal64
    }
}

/// `protocol/vectors/carried.json`.
package struct CarriedFile: Decodable, Sendable {
    package let network: String
    package let identity: String
    package let cases: [Case]

    package static func read() throws -> CarriedFile { try Vectors.own("carried.json", keys: .inCamelCase) }

    package struct Case: Decodable, Sendable {
        package let name: String
        package let logs: [Log]
        package let orders: [[Int]]
        package let end: String?
        package let carried: [String]
        package let endItem: String?
    }

    package struct Log: Decodable, Sendable {
        package let log: String
        package let serial: Decimal64
        package let certificate: String
        package let deviceSeed: String
        package let counted: Decimal64
        package let entry: String?
        package let payload: String?
        package let settlement: String?
        package let evidence: String?
    }
}
