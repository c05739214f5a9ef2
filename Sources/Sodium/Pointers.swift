// libsodium's headers require pointers that are not NULL, even for zero bytes; a Swift buffer without bytes may have
// none.

extension UnsafeRawBufferPointer {
    /// Address of the first byte; for an empty buffer one that is never read.
    var start: UnsafePointer<UInt8> {
        guard let base = baseAddress else { return UnsafePointer(Placeholder.address) }
        return base.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Address of the first byte; for an empty buffer one that is never written.
    var start: UnsafeMutablePointer<UInt8> {
        guard let base = baseAddress else { return Placeholder.address }
        return base.assumingMemoryBound(to: UInt8.self)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    var start: UnsafeMutablePointer<UInt8> { baseAddress ?? Placeholder.address }
}

private enum Placeholder {
    // One byte for the life of the process, never read or written, so sharing it is safe.
    nonisolated(unsafe) static let address = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
}
