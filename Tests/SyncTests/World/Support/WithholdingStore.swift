import Entries
import Simulation

/// The store of a node that gives no history away: what was left out of a log it has never got, as it says.
final class WithholdingStore: StoreAround {
    let store: LightStore
    var isOpen = false
    private(set) var refusals = 0

    init(_ store: LightStore) {
        self.store = store
    }

    func ranges(_ wants: [RangeWant], byteLimit: Int) throws -> [RangeAnswer] {
        var answers: [RangeAnswer] = []
        for want in wants {
            if case .until = want.extent, !isOpen {
                refusals += 1
                answers.append(.lacking(want.log))
            } else {
                answers += try store.ranges([want], byteLimit: byteLimit)
            }
        }
        return answers
    }
}
