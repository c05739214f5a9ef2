#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A port of 127.0.0.1 on which nobody listens, and which the system gives to nobody as long as this lives: one that
/// was free a moment ago may be another test's by now.
///
/// A node of the test that names the port may listen there, and end: it is nobody else's then either (Linux).
package final class ClosedPort: Sendable {
    package struct Unbound: Error {
        package let code: CInt
    }

    package let number: UInt16
    private let descriptor: CInt

    package init() throws(Unbound) {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var isShared: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isShared, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
            }
        }
        number = UInt16(bigEndian: address.sin_port)
        guard isBound else { throw Unbound(code: errno) }
    }

    deinit { close(descriptor) }
}
