#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
package import Sodium

/// An identity's profile: kind 5 (`protocol/payload.md` §3).
///
/// Each present field writes its own register; nil leaves the register unchanged.
package struct Profile: Equatable, Sendable {
    package let salt: Salt
    package let name: String?
    /// An empty text removes it.
    package let fullName: String?
    /// An empty text removes it.
    package let bio: String?
    /// The id of a picture.
    package let avatar: Bytes32?

    /// Checks the rules of the content.
    ///
    /// - Throws: `nameLength`, `fullNameLength`, `bioLength`.
    package init(
        salt: Salt,
        name: String? = nil,
        fullName: String? = nil,
        bio: String? = nil,
        avatar: Bytes32? = nil
    ) throws(PayloadError) {
        if let name {
            guard !name.isEmpty, name.utf8.count <= PayloadLimits.nameBytes else { throw .rule(.nameLength) }
        }
        if let fullName {
            guard fullName.utf8.count <= PayloadLimits.fullNameBytes else { throw .rule(.fullNameLength) }
        }
        if let bio {
            guard bio.utf8.count <= PayloadLimits.bioBytes else { throw .rule(.bioLength) }
        }
        self.salt = salt
        self.name = name
        self.fullName = fullName
        self.bio = bio
        self.avatar = avatar
    }
}

extension Profile {
    init(wire: WireProfile) throws(PayloadError) {
        var avatar: Bytes32?
        if wire.hasAvatar {
            guard let picture = Bytes32(wire.avatar) else { throw .rule(.avatarLength) }
            avatar = picture
        }
        try self.init(
            salt: Salt(wire: wire.salt),
            name: wire.hasName ? wire.name : nil,
            fullName: wire.hasFullName ? wire.fullName : nil,
            bio: wire.hasBio ? wire.bio : nil,
            avatar: avatar
        )
    }

    var wire: WireProfile {
        var wire = WireProfile()
        wire.salt = Data(salt.bytes)
        if let name { wire.name = name }
        if let fullName { wire.fullName = fullName }
        if let bio { wire.bio = bio }
        if let avatar { wire.avatar = Data(avatar.bytes) }
        return wire
    }
}
