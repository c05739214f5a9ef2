package import Sodium

/// The identities whose logs a node carries (`protocol/sync.md` §3).
package enum Scope: Hashable, Sendable {
    case everything
    /// Only these identities.
    case identities(Set<IdentityID>)

    /// Bound of the identities in a scope (`protocol/wire.proto`, Scope): 34 KB of a Hello.
    package static let maximumIdentities = 1_024

    package func contains(_ identity: IdentityID) -> Bool {
        switch self {
        case .everything: true
        case .identities(let identities): identities.contains(identity)
        }
    }

    /// The common scope of two nodes.
    package func intersection(_ other: Scope) -> Scope {
        switch (self, other) {
        case (.everything, _): other
        case (_, .everything): self
        case (.identities(let own), .identities(let others)): .identities(own.intersection(others))
        }
    }

    /// Digest of the scope in a cursor: `H("scurry/scope", identities in ascending order)`; nil for everything.
    package var digest: Bytes32? {
        switch self {
        case .everything: nil
        case .identities(let identities): Blake2b.hash(.scope, identities.sorted().flatMap(\.bytes))
        }
    }

    /// Number of identities; nil for everything.
    package var count: Int? {
        switch self {
        case .everything: nil
        case .identities(let identities): identities.count
        }
    }
}
