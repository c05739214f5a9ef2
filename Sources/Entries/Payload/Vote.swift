#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Votes on posts: kind 3 (`protocol/payload.md` §3).
package struct Vote: Equatable, Sendable {
    /// Raw values are those of the wire.
    package enum Value: UInt8, Hashable, Sendable, CaseIterable {
        case withdrawn = 0
        case up = 1
        case down = 2
    }

    /// A write of the register (identity, post).
    package struct Choice: Hashable, Sendable {
        package let post: EntryID
        package let value: Value

        package init(post: EntryID, value: Value) {
            self.post = post
            self.value = value
        }
    }

    /// In order: of two choices for one post the later wins.
    package let choices: [Choice]

    /// Checks the rules of the content.
    ///
    /// - Throws: `noTarget`.
    package init(choices: [Choice]) throws(PayloadError) {
        guard !choices.isEmpty else { throw .rule(.noTarget) }
        self.choices = choices
    }
}

extension Vote {
    init(wire: WireVote) throws(PayloadError) {
        var choices: [Choice] = []
        choices.reserveCapacity(wire.choices.count)
        for choice in wire.choices {
            choices.append(Choice(post: try EntryID(wire: choice.post), value: try Value(wire: choice.value)))
        }
        try self.init(choices: choices)
    }

    var wire: WireVote {
        var wire = WireVote()
        wire.choices = choices.map { choice in
            var wire = WireVote.Choice()
            wire.post = Data(choice.post.bytes)
            wire.value = choice.value.wire
            return wire
        }
        return wire
    }
}

extension Vote.Value {
    fileprivate init(wire: WireVote.Value) throws(PayloadError) {
        switch wire {
        case .none: self = .withdrawn
        case .up: self = .up
        case .down: self = .down
        // `PayloadForm` admits no other value.
        case .UNRECOGNIZED: throw .refusedByDecoder
        }
    }

    fileprivate var wire: WireVote.Value {
        switch self {
        case .withdrawn: .none
        case .up: .up
        case .down: .down
        }
    }
}
