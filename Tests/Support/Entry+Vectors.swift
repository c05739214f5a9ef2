package import Entries

extension Entry {
    /// The entry of a vector from its header; without its payload where that is not here.
    package init(header text: String, payload: String?) throws {
        let bytes = try hex(text)
        guard bytes.count == EntryHeader.count, let log = LogID(bytes[4..<36]), let hash = PayloadHash(bytes[64..<96])
        else { throw Malformed(text: text) }
        let number = { (place: Range<Int>) in bytes[place].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        let header = EntryHeader(
            version: bytes[0],
            flags: bytes[1],
            kind: UInt16(number(2..<4)),
            log: log,
            sequence: number(36..<44),
            time: number(44..<52),
            clock: number(52..<60),
            length: UInt32(number(60..<64)),
            payloadHash: hash
        )
        guard let payload else {
            self.init(withheld: header)
            return
        }
        self.init(
            version: header.version,
            flags: header.flags,
            kind: header.kind,
            log: log,
            sequence: header.sequence,
            time: header.time,
            clock: header.clock,
            payload: try hex(payload)
        )
        guard self.header == header else { throw Malformed(text: text) }
    }
}
