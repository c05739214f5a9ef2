package import Entries
package import Sodium

/// A person's profile, as far as it is known.
package struct Person: Hashable, Sendable {
    package let identity: IdentityID
    package let name: String?
    package let fullName: String?
    package let bio: String?
    package let avatar: Bytes32?
}

/// Follows as far as this node has seen them.
package struct FollowCounts: Hashable, Sendable {
    package let followers: Int
    package let following: Int
}
