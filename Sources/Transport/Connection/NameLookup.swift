import Dispatch
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix
internal import Sync

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Resolves names with `getaddrinfo(3)`, each lookup on a thread of its own.
///
/// The call cannot be cancelled, and takes ten seconds and more where no name server answers. So each name has one
/// lookup at a time, and the number of lookups is limited, separately for listed and learned names: learned names never
/// delay the peers file's.
final class NameLookup: Sendable {
    static let shared = NameLookup()

    enum Failure: Error {
        case notFound
        /// No answer in time, or the limit of concurrent lookups is reached.
        case silent
    }

    /// The resolver; tests replace it.
    typealias Ask = @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]

    private struct Pending: Hashable {
        let host: String
        let origin: PeerTarget.Origin
    }

    private let ask: Ask
    private let pending = NIOLockedValueBox<Set<Pending>>([])
    private let threads = DispatchQueue(label: "scurry.names", attributes: .concurrent)

    init(asking ask: @escaping Ask = NameLookup.system) {
        self.ask = ask
    }

    /// Resolves a name within `TransportLimits.connectTimeoutSeconds`, in the system's order.
    func addresses(of address: PeerAddress, _ origin: PeerTarget.Origin) async -> Result<[SocketAddress], Failure> {
        let name = Pending(host: address.host, origin: origin)
        guard begin(name) else { return .failure(.silent) }
        let (answers, answer) = AsyncStream.makeStream(of: Result<[SocketAddress], Failure>.self)
        threads.async { [self] in
            let found = ask(address.host, address.port)
            pending.withLockedValue { _ = $0.remove(name) }
            let usable = found.filter { origin == .listed || !Self.isOfThisMachine($0) }
            answer.yield(usable.isEmpty ? .failure(.notFound) : .success(usable))
            answer.finish()
        }
        let deadline = Task {
            try await Task.sleep(for: .seconds(TransportLimits.connectTimeoutSeconds))
            answer.yield(.failure(.silent))
        }
        defer { deadline.cancel() }
        for await first in answers { return first }
        return .failure(.silent)
    }

    private func begin(_ name: Pending) -> Bool {
        pending.withLockedValue { pending in
            let limit =
                switch name.origin {
                case .listed: TransportLimits.listedNamesAtOnce
                case .learned: TransportLimits.learnedNamesAtOnce
                }
            guard pending.count(where: { $0.origin == name.origin }) < limit else { return false }
            return pending.insert(name).inserted
        }
    }

    /// Whether an address is this machine's: a learned name that resolves to it would lead the node to local services.
    static func isOfThisMachine(_ address: SocketAddress) -> Bool {
        guard let text = Connection.host(address) else { return true }
        return NodeMachine.isLoopback(text) || text == "::" || text.hasPrefix("0.")
    }

    @Sendable
    private static func system(_ host: String, _ port: UInt16) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var found: [SocketAddress] = []
        var next = first
        while let info = next?.pointee {
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET:
                    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        found.append(SocketAddress($0.pointee))
                    }
                case AF_INET6:
                    address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        found.append(SocketAddress($0.pointee))
                    }
                default: break
                }
            }
            next = info.ai_next
        }
        return found
    }
}

/// Gives resolved addresses to NIO, which tries them in turn (RFC 8305).
struct KnownAddresses: Resolver, Sendable {
    let addresses: [SocketAddress]
    let loop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { known(.inet) }
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { known(.inet6) }
    func cancelQueries() {}

    private func known(_ family: NIOBSDSocket.ProtocolFamily) -> EventLoopFuture<[SocketAddress]> {
        loop.makeSucceededFuture(addresses.filter { $0.protocol == family })
    }
}
