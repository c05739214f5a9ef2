import Testing

@testable import Sync

struct HostNetworkTests {
    @Test(arguments: [
        ("2001:db8::1", "2001:db8:0:0:ffff:ffff:ffff:ffff"), ("2001:db8::", "2001:0db8::7"),
        ("fe80::1%eth0", "fe80::2"), ("::1", "::2"), ("64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2"),
        ("1:2:3:4::", "1:2:3:4:5:6:7:8"), ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:192.0.2.1", "192.0.2.1"),
        ("oak.example.edu", "OAK.example.edu."),
    ])
    func `They are of one network`(first: String, second: String) {
        #expect(HostNetwork(first) == HostNetwork(second))
    }

    @Test(arguments: [
        ("2001:db8::1", "2001:db8:0:1::1"), ("1:2:3:4::", "1:2:3:5::"), ("192.0.2.1", "192.0.2.2"),
        ("1:2:3:4:5:6:7:8:9", "1:2:3:4::"), ("x::1", "::1"), (":::::::::", "::"), ("host", "other"),
        ("::ffff:192.0.2.1", "192.0.2.2"), ("::ffff:192.0.2.1", "::1"),
    ])
    func `They are not`(first: String, second: String) {
        #expect(HostNetwork(first) != HostNetwork(second))
    }
}
