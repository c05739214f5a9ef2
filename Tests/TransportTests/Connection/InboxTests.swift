import NIOCore
import NIOPosix
import Sync
import Testing

@testable import Transport

struct InboxTests {
    @Test func `A whole round of reads fits behind an inbox that is nearly full, and the next one waits`() {
        let inbox = Inbox()
        for _ in 1..<TransportLimits.inboxFullBuffers { inbox.put(ByteBuffer()) }
        #expect(inbox.roundEnded() == .read)
        for _ in 0..<Inbox.readsPerRound { inbox.put(ByteBuffer()) }
        #expect(inbox.roundEnded() == .wait)
        for _ in TransportLimits.inboxResumedBuffers + 1..<Inbox.mostBuffers {
            #expect(inbox.dealtWithOne() == .wait)
        }
        #expect(inbox.dealtWithOne() == .read)
    }

    @Test func `A round has as many reads at both ends of a connection as the bound of a node's memory counts`()
        async throws
    {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let (rounds, round) = AsyncStream.makeStream(of: UInt?.self)
        let serving = Task {
            await listener.run { connection in
                round.yield(try? await connection.channel.getOption(.maxMessagesPerRead).get())
                await connection.run(received: { _ in }, sent: { _ in })
            }
        }
        let outcome = await Dialer(group: group).dial(PeerAddress(host: "127.0.0.1", port: listener.address.port))
        guard case .connected(let connection) = outcome else {
            Issue.record("no connection: \(outcome)")
            return
        }
        let reads = UInt(Inbox.readsPerRound)
        #expect(try await connection.channel.getOption(.maxMessagesPerRead).get() == reads)
        var accepted = rounds.makeAsyncIterator()
        #expect(await accepted.next() == reads)
        connection.abort()
        serving.cancel()
        await serving.value
    }

    @Test func `The bound of a node's memory has room for all that may wait in the inbox of one connection`() {
        let none = MemoryBound(sessions: 0, strangers: 0, logs: 0).bytes
        let read = Inbox.mostBuffers * TransportLimits.readBytes
        #expect(MemoryBound(sessions: 0, strangers: 1, logs: 0).bytes - none >= read)
        #expect(MemoryBound(sessions: 1, strangers: 0, logs: 0).bytes - none >= read)
    }
}
