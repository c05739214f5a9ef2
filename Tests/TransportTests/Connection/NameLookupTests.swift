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
            NameLookup { [self] host, port in
                asked.withLockedValue { $0.append(host) }
                ask.yield()
                guard host.hasPrefix("dead") else { return [host == "far" ? far : near] }
                gate.wait()
                gate.signal()
                return []
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

    private func isSilent(_ result: Result<[SocketAddress], NameLookup.Failure>) -> Bool {
        if case .failure(.silent) = result { true } else { false }
    }

    private func isNotFound(_ result: Result<[SocketAddress], NameLookup.Failure>) -> Bool {
        if case .failure(.notFound) = result { true } else { false }
    }

    @Test func `Names that nobody answers for hold up neither listed ones nor addresses`() async throws {
        let names = try Names()
        let lookup = names.lookup
        let limit = TransportLimits.learnedNamesAtOnce
        let waiting = (0..<limit).map { number in
            Task { await lookup.addresses(of: place("dead\(number)"), .learned) }
        }
        await names.wait(for: limit)
        #expect(isSilent(await lookup.addresses(of: place("dead"), .learned)))
        #expect(isSilent(await lookup.addresses(of: place("far"), .learned)))
        #expect(names.asked.withLockedValue { $0.count == limit }, "no more are asked for")
        #expect(try await lookup.addresses(of: place("far"), .listed).get() == [names.far])
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await Listener(ListenAddress(host: "127.0.0.1", port: 0), group: group)
        let dialer = Dialer(group: group, names: lookup)
        let outcome = await dialer.dial(PeerAddress(host: "127.0.0.1", port: listener.address.port), .learned)
        guard case .connected(let connection) = outcome else { return #expect(Bool(false), "\(outcome)") }
        connection.abort()
        await listener.end()
        names.open()
        for task in waiting { #expect(isNotFound(await task.value)) }
        #expect(try await lookup.addresses(of: place("far"), .learned).get() == [names.far])
    }

    @Test func `A name is asked for once at a time`() async throws {
        let names = try Names()
        let lookup = names.lookup
        let first = Task { await lookup.addresses(of: place("dead"), .listed) }
        await names.wait(for: 1)
        #expect(isSilent(await lookup.addresses(of: place("dead"), .listed)))
        #expect(names.asked.withLockedValue { $0.count == 1 })
        names.open()
        #expect(isNotFound(await first.value))
    }

    @Test func `Somebody else's name for this machine is none, a person's own is`() async throws {
        let names = try Names()
        let lookup = names.lookup
        #expect(isNotFound(await lookup.addresses(of: place("near"), .learned)))
        #expect(try await lookup.addresses(of: place("near"), .listed).get() == [names.near])
        for text in ["127.0.0.1", "127.9.9.9", "0.0.0.0", "::1", "::", "::ffff:127.0.0.1", "::ffff:0.0.0.0"] {
            #expect(NameLookup.isOfThisMachine(try SocketAddress(ipAddress: text, port: 1)), "\(text)")
        }
        #expect(!NameLookup.isOfThisMachine(names.far))
    }

    @Test func `The system knows a name of this machine and not one that there is not`() async throws {
        let found = try await NameLookup.shared.addresses(of: place("localhost"), .listed).get()
        #expect(!found.isEmpty && found.allSatisfy(NameLookup.isOfThisMachine))
        #expect(isNotFound(await NameLookup().addresses(of: place("no such name"), .listed)))
    }
}
