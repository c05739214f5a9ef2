#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Follows or unfollows identities: kind 4 (`protocol/payload.md` §3).
package struct Follow: Equatable, Sendable {
    /// Raw values are those of the wire.
    package enum Value: UInt8, Hashable, Sendable, CaseIterable {
        case withdrawn = 0
        case following = 1
    }

    /// A write of the register (identity, other identity).
    package struct Choice: Hashable, Sendable {
        package let identity: IdentityID
        package let value: Value

        package init(identity: IdentityID, value: Value) {
            self.identity = identity
            self.value = value
        }
    }

    /// In order: of two choices for one identity the later wins.
    package let choices: [Choice]

    /// Checks the rules of the content.
    ///
    /// - Throws: `noTarget`.
    package init(choices: [Choice]) throws(PayloadError) {
        guard !choices.isEmpty else { throw .rule(.noTarget) }
        self.choices = choices
    }
}

extension Follow {
    init(wire: WireFollow) throws(PayloadError) {
        var choices: [Choice] = []
        choices.reserveCapacity(wire.choices.count)
        for choice in wire.choices {
            choices.append(
                Choice(identity: try IdentityID(wire: choice.identity), value: try Value(wire: choice.value))
            )
        }
        try self.init(choices: choices)
    }

    var wire: WireFollow {
        var wire = WireFollow()
        wire.choices = choices.map { choice in
            var wire = WireFollow.Choice()
            wire.identity = Data(choice.identity.bytes)
            wire.value = choice.value.wire
            return wire
        }
        return wire
    }
}

extension Follow.Value {
    fileprivate init(wire: WireFollow.Value) throws(PayloadError) {
        switch wire {
        case .none: self = .withdrawn
        case .following: self = .following
        // `PayloadForm` admits no other value.
        case .UNRECOGNIZED: throw .refusedByDecoder
        }
    }

    fileprivate var wire: WireFollow.Value {
        switch self {
        case .withdrawn: .none
        case .following: .following
        }
    }
}
