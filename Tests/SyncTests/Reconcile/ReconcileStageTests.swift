import Testing

@testable import Sync

struct ReconcileStageTests {
    @Test(
        arguments: [
            (477, 1_911, false), (478, 1_911, true), (1_911, 1_911, true), (7_644, 1_911, true), (7_645, 1_911, false),
            (7_647, 1_911, false), (0, 0, false), (0, 1, false), (1, 4, true), (1, 5, false), (.max, .max, true),
            (.max, .max / 4, false), (.max, .max / 4 + 1, true),
        ] as [(UInt64, UInt64, Bool)]
    )
    func `The larger is at most four times the smaller`(one: UInt64, other: UInt64, isWorthwhile: Bool) {
        #expect(ReconcileStage.isWorthwhile(between: one, and: other) == isWorthwhile)
        #expect(ReconcileStage.isWorthwhile(between: other, and: one) == isWorthwhile)
    }
}
