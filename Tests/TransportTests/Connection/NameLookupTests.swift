import Dispatch
import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Sync
import Testing

@testable import Transport

/// Names that nobody answers for: what others told of may cost nobody a connection.
struct NameLookupTests {
    /// A system that says nothing of names that begin with `dead` before it is told to.
    private final class Names: Sendable {
        let asked = NIOLockedValueBox<[String]>([])
        private let (asks, ask) = AsyncStream.makeStream(of: Void.self)
        private let gate = DispatchSemaphore(value: 0)

        var lookup: NameLookup {
            NameLookup { [self] host in
                asked.withLockedValue { $0.append(host) }
                ask.yield()
                guard host.hasPrefix("dead") else { return [host == "far" ? far : near] }
                gate.wait()
                gate.signal()
                return host.hasSuffix("far") ? [far] : []
            }
        }

        /// Returns when the system was asked so often.
        func wait(for count: Int) async {
            var asks = asks.makeAsyncIterator()
            for _ in 0..<count { await asks.next() }
        }

        func open() { gate.signal() }

        let near: SocketAddress
        let far: SocketAddress

        init() throws {
            near = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
            far = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        }
    }

    private func place(_ host: String) -> PeerAddress { PeerAddress(host: host, port: 1) }

    /// What the system says, however late: on a busy machine a lookup may begin later than its deadline is.
    private func answer(
        _ lookup: NameLookup,
        _ address: PeerAddress,
        _ origin: PeerTarget.Origin
    ) async -> Result<[SocketAddress], NameLookup.Failure> {
        let deadline = SystemClock.monotonicMilliseconds + patience
        while true {
            // The name is being looked up still: who asks again gets that answer.
            let answer = await lookup.addresses(of: address, origin)
            guard case .failure(.silent) = answer, SystemClock.monotonicMilliseconds < deadline else { return answer }
        }
    }

    private func isBusy(_ result: Result<[SocketAddress], NameLookup.Failure>) -> Bool {
        if case .failure(.busy) = result { true } else { false }
    }

    private func isNotFound(_ result: Result<[SocketAddress], NameLookup.Failure>) -> Bool {
        if case .failure(.notFound) = result { true } else { false }
    }

    @Test func `Names that nobody answers for hold up neither listed ones nor addresses`() async throws {
        let names = try Names()
        let lookup = names.lookup
        let limit = TransportLimits.learnedNamesAtOnce
        let waiting = (0..<limit).map { number in
            Task { await answer(lookup, place("dead\(number)"), .learned) }
        }
        await names.wait(for: limit)
        #expect(isBusy(await lookup.addresses(of: place("dead"), .learned)))
        #expect(isBusy(await lookup.addresses(of: place("far"), .learned)))
        #expect(names.asked.withLockedValue { $0.count == limit }, "no more are asked for")
        #expect(try await answer(lookup, place("far"), .listed).get() == [names.far])
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let dialer = Dialer(group: group, names: lookup)
        let outcome = await dialer.dial(PeerAddress(host: "127.0.0.1", port: listener.address.port), .learned)
        guard case .connected(let connection) = outcome else { return #expect(Bool(false), "\(outcome)") }
        connection.abort()
        await listener.end()
        names.open()
        for task in waiting { #expect(isNotFound(await task.value)) }
        #expect(try await answer(lookup, place("far"), .learned).get() == [names.far])
    }

    @Test func `A name is asked for once at a time, and the answer is everybody's who asked meanwhile`() async throws {
        let names = try Names()
        let lookup = names.lookup
        let first = Task { await answer(lookup, place("dead far"), .listed) }
        await names.wait(for: 1)
        let second = Task {
            await answer(lookup, PeerAddress(host: "dead far", port: 2), .listed)
        }
        while lookup.waitingCount < 2 { await Task.yield() }
        names.open()
        #expect(try await first.value.get() == [names.far])
        #expect(try await second.value.get().map(\.port) == [2])
        #expect(names.asked.withLockedValue { $0 == ["dead far"] })
    }

    @Test(.timeLimit(.minutes(5)))
    func `No form of an address leads a stranger's word to this machine`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        for host in ["0.0.0.0", "::", "::ffff:127.0.0.1", "0:0:0:0:0:0:0:1", "0::1"] {
            let place = PeerAddress(host: host, port: listener.address.port)
            let outcome = await Dialer(group: group).dial(place, .learned)
            guard case .failed(.other) = outcome else {
                #expect(Bool(false), "\(host): \(outcome)")
                continue
            }
        }
        await listener.end()
    }

    @Test func `Somebody else's name for this machine is none, a person's own is`() async throws {
        let names = try Names()
        let lookup = names.lookup
        #expect(isNotFound(await answer(lookup, place("near"), .learned)))
        #expect(try await answer(lookup, place("near"), .listed).get() == [names.near])
        for text in ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0"] {
            #expect(NameLookup.isLoopback(try SocketAddress(ipAddress: text, port: 1)), "\(text)")
        }
        #expect(!NameLookup.isLoopback(names.far))
    }

    @Test func `Somebody else's name for an address of this machine's own devices is none either`() async throws {
        let addresses = try ["192.0.2.7", "2001:db8::7", "::ffff:192.0.2.7"].map {
            try SocketAddress(ipAddress: $0, port: 1)
        }
        let far = try SocketAddress(ipAddress: "192.0.2.1", port: 1)
        let reads = NIOLockedValueBox(0)
        let lookup = NameLookup(asking: { $0 == "near" ? addresses : addresses + [far] }) {
            reads.withLockedValue { $0 += 1 }
            return ["192.0.2.7", "2001:db8::7"]
        }
        #expect(isNotFound(await answer(lookup, place("near"), .learned)))
        #expect(try await answer(lookup, place("both"), .learned).get() == [far])
        #expect(reads.withLockedValue { $0 } == 2, "once for each learned name")
        #expect(try await answer(lookup, place("near"), .listed).get() == addresses)
        #expect(reads.withLockedValue { $0 } == 2, "a person may list any")
    }

    @Test func `The system knows a name of this machine and not one that there is not`() async throws {
        let found = try await answer(NameLookup.shared, place("localhost"), .listed).get()
        #expect(!found.isEmpty && found.allSatisfy(NameLookup.isLoopback))
        #expect(isNotFound(await answer(NameLookup(), place("no such name"), .listed)))
    }
}
