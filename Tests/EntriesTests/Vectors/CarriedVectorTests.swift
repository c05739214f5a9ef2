import Entries
import Sodium
import TestSupport
import Testing

/// Runs `protocol/vectors/carried.json`, which shares nothing with the sources.
///
/// What comes of an account that ended, the store decides: its tests run that.
struct CarriedVectorTests {
    @Test func `Which logs are carried, in whatever order they come`() throws {
        let file = try CarriedFile.read()
        #expect(file.cases.count == 24)
        let network = NetworkID(raw: try hex32(file.network))
        var ran = 0
        for vector in file.cases where vector.end == nil {
            let candidates = try vector.logs.map { try self.candidate($0, network) }
            let all = Carriage(candidates.compactMap(\.self)).carried.map(\.log.raw.description)
            #expect(all == vector.carried, "\(vector.name), all at once")
            #expect(!vector.orders.isEmpty, "\(vector.name)")
            for order in vector.orders {
                let carried = self.carried(order.compactMap { candidates[$0] }).map(\.log.raw.description)
                #expect(carried == vector.carried, "\(vector.name), in the order \(order)")
            }
            ran += 1
        }
        #expect(ran == 21)
    }

    /// What is carried once nothing changes any more, whatever was refused or forgotten comes again.
    private func carried(_ candidates: [Carriage.Candidate]) -> [Carriage.Candidate] {
        var carriage = Carriage()
        var before: Carriage
        repeat {
            before = carriage
            for candidate in candidates { _ = carriage.insert(candidate) }
        } while carriage != before
        return carriage.carried
    }

    /// Nil for a log without a frontier item.
    private func candidate(_ said: CarriedFile.Log, _ network: NetworkID) throws -> Carriage.Candidate? {
        let signed = try SignedCertificate(verifying: try hex(said.certificate), network: network)
        #expect(signed.log.raw.description == said.log)
        #expect(signed.certificate.serial == said.serial.value)
        guard said.counted.value > 0 || said.settlement != nil || said.evidence != nil else { return nil }
        let end: Carriage.Candidate.End = said.settlement == nil ? .open : .settled
        return Carriage.Candidate(serial: signed.certificate.serial, log: signed.log, end: end)
    }
}
