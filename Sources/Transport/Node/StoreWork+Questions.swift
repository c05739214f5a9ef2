internal import Entries
internal import NIOPosix
internal import Storage
internal import Sync

/// Reads, and writes of small files, on threads that no transaction waits for.
extension StoreWork {
    func readRanges(_ id: RequestID, _ wants: [RangeWant], byteLimit: Int) {
        run(on: reads, otherwise: .readFailed(id)) { [inputs] store throws(StorageError) in
            let answers = try store.ranges(wants, byteLimit: byteLimit) { inputs.yield(.storageFailed($0)) }
            return .event(.ranges(id, answers))
        }
    }

    func readPrefix(_ id: RequestID, _ log: LogID, end: UInt64) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.prefix(id, try store.prefixNodes(of: log, end: end)))
        }
    }

    func readPrefixProof(_ id: RequestID, _ log: LogID, end: UInt64) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.prefixProof(id, try store.prefixProof(of: log, end: end)))
        }
    }

    func readNodes(_ id: RequestID, _ log: LogID, _ place: TreePlace) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.nodes(id, try store.nodes(of: log, at: place)))
        }
    }

    /// Compares a prefix that a peer proved with the stored one.
    func weigh(_ id: RequestID, _ log: LogID, _ proof: PrefixProof) {
        run(on: reads, otherwise: .readFailed(id)) { [verifier] store throws(StorageError) in
            let known = try store.prefixes(of: [log])[log]
            let ours = try store.prefixNodes(of: log, end: proof.end)
            let weight = PrefixWeight(proof, of: log, network: verifier.network, known: known, ours: ours)
            return .event(.prefixWeighed(id, weight))
        }
    }

    func readBodies(_ id: RequestID, _ places: [BodyPlace], byteLimit: Int) {
        run(on: reads, otherwise: .readFailed(id)) { store throws(StorageError) in
            .event(.bodies(id, try store.bodies(places, byteLimit: byteLimit)))
        }
    }

    /// Reads the followed identities.
    func readCarried(_ carry: Carrying) {
        run(on: reads, otherwise: nil) { store throws(StorageError) in .carried(try carry.meaning(in: store.reader)) }
    }

    /// Writes a small file beside the store; a failure is reported and otherwise ignored.
    func writeFile(_ body: @escaping @Sendable () throws(SystemError) -> Void) {
        submit(to: files) { [inputs] in
            do throws(SystemError) { try body() } catch { inputs.yield(.fileFailed(error)) }
        }
    }

    /// Adds pins to the home's file.
    func pin(_ nodes: [PeerAddress: NodeID], in home: Home) {
        submit(to: files) { [inputs] in
            do throws(HomeError) {
                try home.pin(nodes)
                inputs.yield(.pinned(nodes))
            } catch {
                inputs.yield(.pinFailed(error))
            }
        }
    }

    func status() async -> StoreStatus? {
        let store = store
        return try? await reads.runIfActive { try store.reader.status() }
    }
}
