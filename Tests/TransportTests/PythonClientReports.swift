import Entries
import Foundation

@testable import Transport

extension PythonClient {
    /// What the client prints of an action.
    struct Told: Decodable, Sendable {
        enum Value: Decodable, Equatable, Sendable {
            case number(UInt64)
            case other

            init(from decoder: any Decoder) throws {
                let one = try decoder.singleValueContainer()
                self = (try? one.decode(UInt64.self)).map(Self.number) ?? .other
            }
        }

        private struct Post: Decodable {
            let id: String
        }

        /// A log, or the end of an account, that the client's frontier has.
        struct Log: Decodable, Equatable, Sendable {
            /// Entries that count, and that are stored.
            let size: UInt64
            let stored: UInt64
            /// Where evidence of a fork cuts it.
            let cut: UInt64?
            /// Where a settlement ends it, and whether the settled history is here.
            let settled: UInt64?
            let complete: Bool
        }

        private enum Key: String, CodingKey {
            case ok, closed, logs, node, hello, version, fingerprint, count, posts, entry, rounds, stages, served, taken
        }

        let ok: Bool
        /// Why the first connection ended; nil while it stands.
        let closed: String?
        /// Nil with `--brief`.
        let logs: [Log]?
        let node: String?
        let hello: [String: Value]?
        /// Of the protocol, that both sides went on in.
        let version: UInt32?
        /// In base32, as the node shows its own.
        let fingerprint: String?
        /// Logs that are held.
        let count: Int?
        /// Nil with `--brief`, too.
        let posts: [String]?
        let entry: String?
        /// Questions or answers of reconciliations.
        let rounds: Int?
        /// About how many items each stage was that the client began.
        let stages: [Int]?
        /// What was given to others, by kind.
        let served: [String: Int]
        /// How many windows came, and how many entries that they had left out; nil of who listens.
        let taken: [String: Int]?

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            ok = try values.decode(Bool.self, forKey: .ok)
            closed = try values.decodeIfPresent(String.self, forKey: .closed)
            logs = try? values.decodeIfPresent([Log].self, forKey: .logs)
            node = try values.decodeIfPresent(String.self, forKey: .node)
            hello = try values.decodeIfPresent([String: Value].self, forKey: .hello)
            version = try values.decodeIfPresent(UInt32.self, forKey: .version)
            fingerprint = try values.decodeIfPresent(String.self, forKey: .fingerprint)
                .map { Base32.encode([UInt8](hexadecimal: $0)) }
            count = try values.decodeIfPresent(Int.self, forKey: .count)
            posts = (try? values.decodeIfPresent([Post].self, forKey: .posts))?.map(\.id)
            entry = try values.decodeIfPresent(String.self, forKey: .entry)
            rounds = try values.decodeIfPresent(Int.self, forKey: .rounds)
            stages = try values.decodeIfPresent([Int].self, forKey: .stages)
            served = try values.decodeIfPresent([String: Int].self, forKey: .served) ?? [:]
            taken = try values.decodeIfPresent([String: Int].self, forKey: .taken)
        }
    }

    struct Listening: Decodable, Sendable {
        let port: UInt16
        let id: String
    }
}
