package import Entries

/// What a `LightStore` does wrong when it is told to.
extension LightStore {
    /// Drops a body, as a relay that withholds it does.
    package func withhold(_ place: BodyPlace) {
        logs[place.log]?.withhold(place.sequence)
    }
}

package enum LightStoreError: Error, Hashable, Sendable {
    case full
    case damaged
    case doesNotFit
}
