internal import NIOPosix

/// Whether a node could listen at an address: it is bound as a node binds it, and left at once.
///
/// A call tells less: one that a firewall swallows looks like one that nobody takes.
package enum PortProbe {
    /// Why nobody can listen there now; nil if a node can.
    package static func fault(_ wish: ListenAddress) async -> ListenError? {
        do throws(ListenError) {
            let listener = try await Listener(wish, group: MultiThreadedEventLoopGroup.singleton)
            await listener.end()
            return nil
        } catch {
            return error
        }
    }
}
