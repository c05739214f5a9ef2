import Entries
import Testing

@testable import Storage

/// Two people and a store that hears of them when it is told to.
struct Campus {
    let store: EntryStore
    let hazel: Device
    let rowan: Device

    init() throws {
        store = try EntryStore.inMemory()
        hazel = try Device(person: 1)
        rowan = try Device(person: 2)
    }

    /// The store takes whatever the two have written since.
    func take() throws {
        for device in [hazel, rowan] {
            let held = try store.prefixes(of: [device.log])[device.log]?.range.bounds.upperBound ?? 0
            if Int(held) < device.size { try store.take(device.chunk(Int(held)..<device.size)) }
        }
    }
}

/// A suite each of whose tests has a campus of its own.
protocol CampusSuite {
    var campus: Campus { get }
}

extension CampusSuite {
    var store: EntryStore { campus.store }
    var hazel: Device { campus.hazel }
    var rowan: Device { campus.rowan }

    func take() throws { try campus.take() }
}
