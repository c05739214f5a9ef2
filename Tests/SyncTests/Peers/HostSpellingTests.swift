import Testing

@testable import Sync

struct HostSpellingTests {
    @Test(arguments: [
        "192.0.2.1", "0.0.0.0", "255.255.255.255", "2001:db8::1", "::ffff:192.0.2.1", "oak.example.edu", "oak",
        "3com.com",
        "127.example.edu", "1.2.3.x4", "0x.example", "oak.example.edu.",
    ])
    func `It is usual`(host: String) {
        #expect(HostSpelling.isUsual(host))
    }

    @Test(arguments: [
        "127.1", "2130706433", "0x7f000001", "0X7F.0.0.1", "017700000001", "192.0.2.01", "192.0.2.256", "192.0.2.1.",
        "192.0.2", "1.2.3.4.5", "192.0.2.0x1", "192.0.2.0x", "192.0..1", "oak.5", "+1.2.3.4",
    ])
    func `It is another spelling of an address, or no name`(host: String) {
        #expect(!HostSpelling.isUsual(host))
    }
}
