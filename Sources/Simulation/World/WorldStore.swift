package import Entries

/// A store to which an author outside it can append.
package protocol WorldStore: HeldStore {
    /// Appends a post by this author.
    func append(_ text: String, by author: inout Author, at time: UInt64) throws -> OwnAppend
}
