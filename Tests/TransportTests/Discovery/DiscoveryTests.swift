import NIOCore
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct DiscoveryTests {
    @Test func `A network that cannot be sent to is logged in plain words, without the system's call`() {
        let error = IOError(errnoCode: EPERM, reason: "sendto(descriptor:pointer:size:)")
        let words = "cannot speak to the local network on eth0: Operation not permitted; scurry doctor says more"
        #expect(Discovery.words(error, on: "eth0") == words)
    }
}
