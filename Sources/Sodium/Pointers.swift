// libsodium's headers ask for pointers that are not NULL, also for zero bytes, where Swift's buffers may have none.

extension UnsafeRawBufferPointer {
    /// The first byte's address; for an empty buffer an address that is never read.
    var start: UnsafePointer<UInt8> {
        guard let base = baseAddress else { return UnsafePointer(Placeholder.address) }
        return base.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The first byte's address; for an empty buffer an address that is never written.
    var start: UnsafeMutablePointer<UInt8> {
        guard let base = baseAddress else { return Placeholder.address }
        return base.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    var start: UnsafeMutablePointer<UInt8> { baseAddress ?? Placeholder.address }
}

private enum Placeholder {
    // One byte for the life of the process: never read and never written, so sharing it is safe.
    nonisolated(unsafe) static let address = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}
