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
/// lookup at a time, whose answer all get who ask for it meanwhile, and the number of lookups is limited, separately
/// for listed and learned names: learned names never delay the peers file's.
final class NameLookup: Sendable {
    static let shared = NameLookup()

    enum Failure: Error {
        case notFound
        /// No answer in time.
        case silent
        /// Not asked: the limit of concurrent lookups is reached.
        case busy
    }

    /// The resolver; tests replace it.
    typealias Ask = @Sendable (_ host: String) -> [SocketAddress]
    /// This machine's addresses, in the form of `Connection.host`; tests replace it.
    typealias OwnAddresses = @Sendable () -> [String]
    private typealias Answer = Result<[SocketAddress], Failure>

    private struct Name: Hashable {
        let host: String
        let origin: PeerTarget.Origin
    }

    private let ask: Ask
    private let ownAddresses: OwnAddresses
    /// The names that are being looked up, and who waits for each.
    private let pending = NIOLockedValueBox<[Name: [AsyncStream<Answer>.Continuation]]>([:])
    private let threads = DispatchQueue(label: "scurry.names", attributes: .concurrent)

    init(
        asking ask: @escaping Ask = NameLookup.system,
        ownAddresses: @escaping OwnAddresses = { LocalAddresses.all() }
    ) {
        self.ask = ask
        self.ownAddresses = ownAddresses
    }

    /// Callers that wait for an answer; only tests ask.
    var waitingCount: Int { pending.withLockedValue { $0.values.reduce(0) { $0 + $1.count } } }

    /// Resolves a name within `TransportLimits.connectTimeoutSeconds`, in the system's order.
    func addresses(of address: PeerAddress, _ origin: PeerTarget.Origin) async -> Result<[SocketAddress], Failure> {
        let name = Name(host: address.host, origin: origin)
        let (answers, answer) = AsyncStream.makeStream(of: Answer.self)
        switch join(name, answer) {
        case .refused: return .failure(.busy)
        case .joined: break
        case .first: look(up: name)
        }
        let deadline = Task {
            try await Task.sleep(for: .seconds(TransportLimits.connectTimeoutSeconds))
            answer.yield(.failure(.silent))
        }
        defer { deadline.cancel() }
        for await first in answers {
            return first.map { found in
                found.map { place in
                    var place = place
                    place.port = Int(address.port)
                    return place
                }
            }
        }
        return .failure(.silent)
    }

    private enum Joining { case first, joined, refused }

    private func join(_ name: Name, _ answer: AsyncStream<Answer>.Continuation) -> Joining {
        pending.withLockedValue { pending in
            guard pending[name] == nil else {
                pending[name]?.append(answer)
                return .joined
            }
            let limit =
                switch name.origin {
                case .listed: TransportLimits.listedNamesAtOnce
                case .learned: TransportLimits.learnedNamesAtOnce
                }
            guard pending.keys.count(where: { $0.origin == name.origin }) < limit else { return .refused }
            pending[name] = [answer]
            return .first
        }
    }

    private func look(up name: Name) {
        threads.async { [self] in
            let found = ask(name.host)
            let usable =
                switch name.origin {
                case .listed: found
                case .learned: notOfThisMachine(found)
                }
            let waiting = pending.withLockedValue { $0.removeValue(forKey: name) } ?? []
            for answer in waiting {
                answer.yield(usable.isEmpty ? .failure(.notFound) : .success(usable))
                answer.finish()
            }
        }
    }

    /// Leaves out this machine's addresses: a learned name that resolves to one would lead the node to local services,
    /// which may trust whoever calls from this machine.
    private func notOfThisMachine(_ addresses: [SocketAddress]) -> [SocketAddress] {
        let own = Set(ownAddresses())
        return addresses.filter { !Self.isLoopback($0) && !own.contains(Connection.host($0) ?? "") }
    }

    /// Whether an address is loopback in any form, or unspecified, which the system takes for loopback.
    static func isLoopback(_ address: SocketAddress) -> Bool {
        guard let text = Connection.host(address) else { return true }
        return NodeMachine.isLoopback(text) || text == "::" || text.hasPrefix("0.")
    }

    @Sendable
    private static func system(_ host: String) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &first) == 0 else { return [] }
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
