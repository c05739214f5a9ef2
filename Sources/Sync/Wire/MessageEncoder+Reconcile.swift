import Entries
import FoundationEssentials
import Sodium
import SwiftProtobuf

// Messages of a reconciliation (`protocol/sync.md` §13).

extension Reconcile {
    var wire: WireReconcile {
        .with {
            $0.stage = stage
            $0.round = round
            $0.message = Data(message)
        }
    }
}

extension ItemsQuestion {
    var wire: WireItemsWanted {
        .with {
            $0.stage = stage
            $0.ids = ids.map { Data($0) }
        }
    }
}

extension Items {
    var wire: WireItems {
        .with {
            $0.stage = stage
            $0.logs = logs.map(\.wire)
            $0.end = end.rawValue
        }
    }
}
