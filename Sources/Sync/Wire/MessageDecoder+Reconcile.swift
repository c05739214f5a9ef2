import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

// Messages of a reconciliation (`protocol/sync.md` §13).

extension Reconcile {
    init(_ wire: WireReconcile) throws(SyncViolation) {
        guard wire.message.count <= Limits.reconciliationMessageBytes else { throw .wrongFieldLength }
        self.init(stage: wire.stage, round: wire.round, message: [UInt8](wire.message))
    }
}

extension ItemsQuestion {
    init(_ wire: WireItemsWanted) throws(SyncViolation) {
        guard wire.ids.count <= Limits.reconciliationIDs else { throw .tooManyItems }
        guard !wire.ids.isEmpty else { throw .impossibleReconciliation }
        var ids: [Bytes32] = []
        ids.reserveCapacity(wire.ids.count)
        for id in wire.ids { ids.append(try id.bytes32()) }
        self.init(stage: wire.stage, ids: ids)
    }
}

extension Items {
    init(_ wire: WireItems) throws(SyncViolation) {
        guard let end = End(rawValue: wire.end) else { throw .impossibleNumber }
        guard end != .more || !wire.logs.isEmpty else { throw .impossibleReconciliation }
        let sizes = try logSizes(wire.logs, limit: Limits.itemsPerMessage, empty: .withWords)
        var logs: [HeldLog] = []
        logs.reserveCapacity(sizes.count)
        for (item, log) in zip(sizes, wire.logs) {
            logs.append(try log.held(of: item) ?? HeldLog(item: item, root: nil))
        }
        self.init(stage: wire.stage, logs: logs, end: end)
    }
}
