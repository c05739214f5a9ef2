import Entries
import Sodium
import Testing

struct CertificateTests {
    @Test func `A certificate comes back with its log`() throws {
        let writer = try Writer(1)
        let bytes = writer.certificate.bytes
        #expect(bytes.count == 200)
        let verified = try SignedCertificate(verifying: bytes, network: Writer.network)
        #expect(verified == writer.certificate)
        #expect(verified.log.raw == Blake2b.hash(.log, Array(bytes.prefix(136))))
        #expect(try SignedCertificate(trusting: bytes) == writer.certificate)
    }

    @Test func `Identity and serial are found in bytes that nobody verified`() throws {
        let signed = try Writer(1).certificate
        #expect(Certificate.claimedIdentity(in: signed.bytes) == signed.certificate.identity)
        #expect(Certificate.claimedIdentity(in: Array(signed.bytes.prefix(64))) == signed.certificate.identity)
        #expect(Certificate.claimedIdentity(in: Array(signed.bytes.prefix(63))) == nil)
        let serial = signed.bytes[Certificate.serialRange].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        #expect(serial == signed.certificate.serial)
    }

    @Test func `Any bit changed is refused`() throws {
        let bytes = try Writer(1).certificate.bytes
        for bit in 0..<bytes.count * 8 {
            let expected: CertificateError = bit < 256 ? .foreignNetwork : .badSignature
            #expect(throws: expected) {
                try SignedCertificate(verifying: bytes.flipping(bit: bit), network: Writer.network)
            }
        }
    }

    @Test func `A certificate for another network is foreign, well signed as it is`() throws {
        let bytes = try Writer(1, network: NetworkID(name: "elsewhere")).certificate.bytes
        #expect(throws: CertificateError.foreignNetwork) {
            try SignedCertificate(verifying: bytes, network: Writer.network)
        }
    }

    @Test func `Another length is refused`() throws {
        let bytes = try Writer(1).certificate.bytes + [0]
        for count in 0...201 where count != 200 {
            #expect(throws: CertificateError.wrongLength) {
                try SignedCertificate(verifying: bytes.prefix(count), network: Writer.network)
            }
            #expect(throws: CertificateError.wrongLength) { try SignedCertificate(trusting: bytes.prefix(count)) }
        }
    }
}
