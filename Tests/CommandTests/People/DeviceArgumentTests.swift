import Entries
import Sodium
import Testing

@testable import Storage
@testable import scurry

struct DeviceArgumentTests {
    /// Ids of one repeated byte: all ones begin with `aeaq`, all twos with `aiba`, and so on.
    private func device(log: UInt8, key: UInt8) throws -> DeviceView {
        DeviceView(
            log: LogID(raw: try #require(Bytes32([UInt8](repeating: log, count: 32)))),
            device: DeviceID(raw: try #require(Bytes32([UInt8](repeating: key, count: 32)))),
            serial: 1,
            size: UInt64(log),
            held: UInt64(log),
            lastTime: nil,
            state: .writing,
            ownership: .other
        )
    }

    private func resolve(_ typed: String, among devices: [DeviceView]) throws -> LogID {
        try #require(DeviceArgument(argument: typed)).resolve(among: devices).device.log
    }

    @Test func `A device is found by the beginning of its log's id or of its key`() throws {
        let devices = [try device(log: 1, key: 200), try device(log: 2, key: 100)]
        for device in devices {
            for id in [device.log.description, device.device.description] {
                #expect(try resolve(String(id.prefix(4)), among: devices) == device.log)
                #expect(try resolve(id.uppercased(), among: devices) == device.log)
            }
        }
    }

    @Test func `What can mean two devices, by a log or by a key, is refused and lists both`() throws {
        let devices = [try device(log: 1, key: 200), try device(log: 2, key: 100), try device(log: 100, key: 201)]
        // Twice the letter of the first two logs.
        let failure = #expect(throws: Failure.self) { try resolve("a", among: devices) }
        #expect(failure?.code == .notFoundOrAmbiguous)
        #expect(failure?.candidates == ["aeaq 1 entry", "aiba 2 entries"])
        // The second one's key and the third one's log.
        let letters = String(devices[2].log.description.prefix(8))
        #expect(throws: Failure.self) { try resolve(letters, among: devices) }
    }

    @Test func `Nothing that begins so is not found`() throws {
        let devices = [try device(log: 1, key: 200)]
        let failure = #expect(throws: Failure.self) { try resolve("aeaqq", among: devices) }
        #expect(failure?.code == .notFoundOrAmbiguous)
        #expect(failure?.candidates == [])
        #expect(throws: Failure.self) { try resolve("a", among: []) }
    }
}
