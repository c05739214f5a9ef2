/// Tests whether a node could listen at an address, by binding it for a moment.
///
/// Dialling it would tell less: a connection that a firewall drops looks like one that nobody accepts.
package enum PortProbe {
    /// Why a node cannot listen there now; nil if it can. To be called after `ProbeLoop.check`.
    package static func fault(_ wish: ListenAddress) async -> ListenError? {
        do throws(ListenError) {
            let listener = try await Listener(wish, group: ProbeLoop.group)
            await listener.end()
            return nil
        } catch {
            return error
        }
    }
}
