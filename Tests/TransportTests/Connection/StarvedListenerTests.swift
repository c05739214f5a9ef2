import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

@testable import Transport

/// A listener in a process that has no file left for a connection.
struct StarvedListenerTests {
    /// Counts the looks that came to nothing.
    private final class Failures: ChannelInboundHandler, Sendable {
        typealias InboundIn = any Channel
        let count = NIOLockedValueBox(0)

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            count.withLockedValue { $0 += 1 }
        }
    }

    @Test func `A caller for whom there is no file has the listener look once in a while`() async {
        // In a process of its own: the limit is one of all threads.
        await #expect(processExitsWith: .success) {
            let failures = Failures()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let server = try await ServerBootstrap(group: loop)
                .serverChannelOption(.autoRead, value: false)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers([ArrivalHandler(.standard), failures])
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            // The caller has the last file that there is.
            let last = dup(0)
            close(last)
            var limit = rlimit(rlim_cur: rlim_t(last + 1), rlim_max: rlim_t(last + 1))
            guard last > 0, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let began = SystemClock.monotonicMilliseconds
            let caller = try RawSocket(port: UInt16(server.localAddress?.port ?? 0))
            try await loop.scheduleTask(in: .milliseconds(500)) {}.futureResult.get()
            _ = caller
            // One look, and one a second where the machine is slow; a loop that goes on looking comes to thousands.
            let looks = failures.count.withLockedValue { $0 }
            exit((1...2 + (SystemClock.monotonicMilliseconds - began) / 1_000).contains(UInt64(looks)) ? 0 : 1)
        }
    }

    @Test func `A command for whom there is no file costs a node no core`() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            let home = try directory.home()
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let server = try await ControlServer(home.layout, group: loop)
            let last = dup(0)
            close(last)
            var limit = rlimit(rlim_cur: rlim_t(last + 1), rlim_max: rlim_t(last + 1))
            guard last > 0, setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { exit(2) }
            let caller = try LocalSocket(connectingTo: server.path, patience: patience)
            let before = clock()
            try await loop.scheduleTask(in: .milliseconds(500)) {}.futureResult.get()
            // Of half a second, one that looks again and again takes nearly all.
            let spent = Double(clock() - before) / Double(CLOCKS_PER_SEC)
            _ = caller
            server.close()
            exit(spent < 0.25 ? 0 : 1)
        }
    }
}
