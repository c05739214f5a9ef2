import Entries
import Testing

@testable import Storage

/// One question from one store to another; nil, and nothing taken, if that one lacks what is asked for.
@discardableResult
func fetch(
    _ log: LogID,
    _ extent: RangeWant.Extent,
    from sender: EntryStore,
    to receiver: EntryStore,
    at place: UInt64? = nil,
    byteLimit: Int = 1 << 20
) throws -> TakeReport? {
    let prefix = try receiver.prefixes(of: [log])[log] ?? .none
    let from = place ?? prefix.range.bounds.upperBound
    let want = RangeWant(log: log, from: from, certificate: .send, extent: extent)
    guard case .chunk(var chunk)? = try sender.ranges([want], byteLimit: byteLimit).first else { return nil }
    if !chunk.left.isEmpty { chunk.askedFrom = from }
    let verified = try #require(ChunkVerifier(network: Device.network).verify(chunk, over: prefix).verified)
    return try receiver.take(verified)
}
