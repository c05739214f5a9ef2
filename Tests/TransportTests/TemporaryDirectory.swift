import Entries
import Synchronization
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A directory of its own for one test, removed with everything in it when it is released.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/scurry-test-XXXXXX".utf8CString)
        path = mkdtemp(&template).map { String(cString: $0) } ?? "/tmp"
    }

    deinit {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        guard path.hasPrefix("/tmp/scurry-test-") else { return }
        for name in (try? FileSystem.names(in: path)) ?? [] {
            let child = path + "/" + name
            if unlink(child) != 0 { remove(child) }
        }
        rmdir(path)
    }

    /// A person's home in this directory.
    func home(_ name: String = "home", network: String = "test") throws -> Home {
        try Home.create(at: HomeLayout(directory: path + "/" + name), network: network, for: .person(show: { _ in }))
    }

    func permissions(_ file: String) throws -> UInt32 {
        try #require(FileSystem.facts(ofItself: file)).permissions
    }
}

/// How long a test waits for what must come; reached only when something is broken.
let patience: UInt64 = 60_000

/// Runs blocking calls off the tasks' own threads, of which a machine may have no more than two.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let work = BlockingWork { continuation.resume(with: Result { try body() }) }
        var thread = pthread_t()
        let pointer = Unmanaged.passRetained(work).toOpaque()
        let status = pthread_create(
            &thread,
            nil,
            { pointer in
                guard let pointer else { return nil }
                Unmanaged<BlockingWork>.fromOpaque(pointer).takeRetainedValue().body()
                return nil
            },
            pointer
        )
        #expect(status == 0)
        pthread_detach(thread)
    }
}

private final class BlockingWork: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
