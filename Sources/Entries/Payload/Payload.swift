#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif
internal import SwiftProtobuf

/// The content of an entry, decoded and valid by every rule (`protocol/payload.md`).
///
/// Equality is canonical equivalence of the texts; where bytes matter, compare the bytes.
package enum Payload: Equatable, Sendable {
    case post(Post)
    case edit(Edit)
    case vote(Vote)
    case follow(Follow)
    case profile(Profile)
    case delete(Delete)

    package var kind: EntryKind {
        switch self {
        case .post: .post
        case .edit: .edit
        case .vote: .vote
        case .follow: .follow
        case .profile: .profile
        case .delete: .delete
        }
    }

    /// Decodes a payload of at most 65,536 bytes: checks kind and length, then the form, then the rules.
    ///
    /// - Throws: why it folds to nothing.
    package static func decode(kind: UInt16, bytes: [UInt8]) throws(PayloadError) -> Payload {
        guard let kind = EntryKind(rawValue: kind) else { throw .rule(.unknownKind) }
        switch kind {
        case .post: return .post(try Post(wire: read(bytes, as: .post)))
        case .edit: return .edit(try Edit(wire: read(bytes, as: .edit)))
        case .vote: return .vote(try Vote(wire: read(bytes, as: .vote)))
        case .follow: return .follow(try Follow(wire: read(bytes, as: .follow)))
        case .profile: return .profile(try Profile(wire: read(bytes, as: .profile)))
        case .delete: return .delete(try Delete(wire: read(bytes, as: .delete)))
        case .private, .label, .channel, .proof: throw .rule(.unknownKind)
        }
    }

    /// Encodes the payload in the strict form; these bytes are hashed and signed for.
    ///
    /// May exceed `EntryLimits.maximumPayloadBytes` with too much text or too many targets: the caller checks.
    package func encode() -> [UInt8] {
        switch self {
        case .post(let post): Self.write(post.wire)
        case .edit(let edit): Self.write(edit.wire)
        case .vote(let vote): Self.write(vote.wire)
        case .follow(let follow): Self.write(follow.wire)
        case .profile(let profile): Self.write(profile.wire)
        case .delete(let delete): Self.write(delete.wire)
        }
    }

    private static func read<Wire: SwiftProtobuf.Message>(
        _ bytes: [UInt8],
        as schema: PayloadSchema
    ) throws(PayloadError) -> Wire {
        guard bytes.count <= EntryLimits.maximumPayloadBytes else { throw .rule(.payloadLength) }
        do {
            try PayloadForm.check(bytes, as: schema)
        } catch {
            throw .form(error)
        }
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = PayloadLimits.nestingDepth
        options.discardUnknownFields = true
        do {
            return try Wire(serializedBytes: bytes, options: options)
        } catch {
            throw .refusedByDecoder
        }
    }

    private static func write(_ wire: some SwiftProtobuf.Message) -> [UInt8] {
        do {
            return try wire.serializedBytes()
        } catch {
            preconditionFailure("only a required field or 2 GiB could fail here, and there is neither: \(error)")
        }
    }
}

extension Salt {
    init(wire: Data) throws(PayloadError) {
        guard let salt = Salt(wire) else { throw .rule(.saltLength) }
        self = salt
    }
}

extension Identifier {
    init(wire: Data) throws(PayloadError) {
        guard let id = Self(wire) else { throw .rule(.idLength) }
        self = id
    }
}
