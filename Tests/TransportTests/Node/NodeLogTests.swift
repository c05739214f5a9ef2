import Logging
import Storage
import Testing

@testable import Transport

struct NodeLogTests {
    @Test func `The size of a file is logged in powers of a thousand, as the commands tell it`() async {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let log = Logger(label: "test") { _ in ErrorLines(entrance: line, logLevel: .warning) }
        Node.tell(.fileStays(bytes: 64_400_000, .failed(.busy)), log)
        var told = lines.makeAsyncIterator()
        #expect(await told.next()?.hasPrefix("the database's file stays as large as it is, 64 MB: ") == true)
    }
}
