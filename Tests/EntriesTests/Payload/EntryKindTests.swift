import Entries
import Testing

struct EntryKindTests {
    @Test func `Kinds have the protocol's numbers, and just those that carry text can be erased`() {
        let kinds: [(UInt16, EntryKind, Bool)] = [
            (1, .post, true), (2, .edit, true), (3, .vote, false), (4, .follow, false), (5, .profile, true),
            (6, .delete, false), (7, .private, true), (8, .label, true), (9, .channel, true), (10, .proof, false),
        ]
        for (number, kind, isErasable) in kinds {
            #expect(EntryKind(rawValue: number) == kind)
            #expect(kind.isErasable == isErasable)
        }
        #expect(EntryKind.allCases.count == kinds.count)
        for number: UInt16 in [0, 11, 257, .max] { #expect(EntryKind(rawValue: number) == nil) }
    }
}
