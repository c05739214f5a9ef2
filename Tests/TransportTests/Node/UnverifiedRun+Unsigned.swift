import Entries
import Sodium
import Sync

extension UnverifiedRun {
    /// One chunk of so many entries that continues what is stored, with a signature of zeros; runs with another `index`
    /// are of another log.
    static func unsigned(entries: UInt64, _ index: UInt8) -> UnverifiedRun {
        let log = LogID(raw: Bytes32(repeatElement(index, count: 32)) ?? .zero)
        let signature = Signature([UInt8](repeating: 0, count: 64))
        let chunks = signature.map {
            [
                UnverifiedChunk(
                    log: log,
                    certificate: nil,
                    start: 0,
                    count: entries,
                    size: entries,
                    signature: $0,
                    entries: [],
                    right: []
                )
            ]
        }
        return UnverifiedRun(log: log, prefix: .store, chunks: chunks ?? [])
    }
}
