package import Entries
internal import Logging
package import Storage
internal import Sync

extension Node {
    /// Signs and stores an own entry, durably, and sends it to whoever is connected.
    ///
    /// What is not begun by `before`, monotonic milliseconds, is `.storage(.busy)`, and not written.
    package func append(_ payload: Payload, before: UInt64? = nil) async throws(AppendError) -> OwnAppend {
        try await write { work.append(payload, before: before, publication, $0) }
    }

    /// Deletes an own post and every edit of it that is here.
    package func delete(_ post: EntryID, before: UInt64? = nil) async throws(AppendError) -> OwnAppend {
        try await write { work.delete(post, before: before, publication, $0) }
    }

    /// Stores entries that were proven elsewhere than on a connection, one chunk for each log, and sends them on.
    package func bring(_ chunks: [VerifiedChunk]) async throws(StorageError) {
        guard !isStopped else { throw .busy }
        if !hasStarted { work.start() }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.bring(chunks, $0) }.get()
    }

    /// Takes a frame of a file.
    private func takeFile(_ frame: Frame) async throws(StorageError) -> BundleReceipt {
        guard !isStopped else { throw .busy }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.takeFile(frame, $0) }.get()
    }

    /// Takes a settlement that a command signed; it is on disk when this returns.
    private func settle(_ bytes: [UInt8]) async -> ControlResponse {
        do {
            guard !isStopped else { throw StorageError.busy }
            requestBegan()
            defer { requestEnded() }
            let signed = try SignedSettlement(verifying: bytes, network: home.network)
            _ = try await withCheckedContinuation { work.settle(signed, $0) }.get()
            return .done
        } catch let error as StorageError {
            return .failed(error.description)
        } catch {
            return .failed("the settlement does not hold")
        }
    }

    /// Notes that all of the own log leaves this home.
    private func releaseOwnLog() async throws(StorageError) -> OwnRelease? {
        guard !isStopped else { throw .busy }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.releaseOwnLog($0) }.get()
    }

    private func write(_ begin: (AppendReply) -> Void) async throws(AppendError) -> OwnAppend {
        guard !isStopped else { throw .storage(.busy) }
        // The store learns of it with the next transaction that succeeds: on a full disk, that may be long.
        guard !machine.isSigningStopped else { throw .refused(work.signingRefusal) }
        if !hasStarted { work.start() }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { begin($0) }.get()
    }

    /// Reads the peers file again, and calls whoever waits.
    package func readPeers() {
        do throws(SystemError) {
            // `leave` forgets who was met. Who was met just now stays.
            known = try KnownNodes(reading: home.layout.knownNodes)
            for (address, node) in unwrittenPins { _ = known.pin(address, to: node) }
            let list = try PeerList(reading: home.layout, known: known)
            for line in list.badLines { Self.tell(line, in: home, log) }
            handle(.peersChanged(list.listed))
            handle(.hurry)
        } catch {
            log.error("\(error)")
        }
    }

    /// Reads the device key again: it was locked, and is forgotten, or unlocked.
    func readKeys() {
        do throws(HomeError) {
            work.use(try home.keys().device)
            work.deleteStrayEdits(publication)
        } catch {
            // What is not known to be open is closed.
            work.use(nil)
            log.error("\(error)")
        }
    }

    /// Takes a key that no file may hold.
    private func unlock(_ sealed: [UInt8]) -> ControlResponse {
        do throws(HomeError) {
            guard let device = try home.device(opening: sealed) else { return .failed("that is not this home's key") }
            work.use(device)
            work.deleteStrayEdits(publication)
            return .done
        } catch {
            return .failed(error.description)
        }
    }

    /// Answers a command.
    func answer(_ request: ControlRequest) async -> ControlResponse {
        switch request {
        case .append(let kind, let payload, let before):
            guard let payload = try? Payload.decode(kind: kind, bytes: Array(payload)) else {
                return .failed("the payload does not parse")
            }
            return await answer { () async throws(AppendError) in try await append(payload, before: before) }
        case .deletePost(let id, let before):
            guard let post = Base32.decode(id).flatMap({ EntryID($0) }) else { return .failed("no post's id") }
            return await answer { () async throws(AppendError) in try await delete(post, before: before) }
        case .status: return .status(standing())
        case .peersChanged:
            readPeers()
            return .done
        case .keyChanged:
            readKeys()
            return .done
        case .unlock(let sealed): return unlock(Array(sealed))
        case .sync(let milliseconds): return .synced(await syncOnce(milliseconds: milliseconds))
        case .importChunks(let body): return await importing(Frame(type: ChunksFrame.type, body: Array(body)))
        case .importChanges(let body): return await importing(Frame(type: ChangesFrame.type, body: Array(body)))
        case .settle(let bytes): return await settle(Array(bytes))
        case .releaseOwnLog:
            do throws(StorageError) {
                guard let own = try await releaseOwnLog() else { return .done }
                return .released(log: own.log, size: own.size, published: own.published)
            } catch {
                return .failed(error.description)
            }
        case .stop:
            stop()
            return .done
        }
    }

    private func importing(_ frame: Frame) async -> ControlResponse {
        do throws(StorageError) {
            return .imported(try await takeFile(frame))
        } catch {
            return .failed(error.description)
        }
    }

    private func answer(_ write: () async throws(AppendError) -> OwnAppend) async -> ControlResponse {
        do throws(AppendError) {
            return .appended(AppendedEntry(try await write()))
        } catch {
            switch error {
            case .refused(let refusal): return .refused(Refusal(refusal))
            case .storage(let error): return .failed(error.description)
            }
        }
    }
}

extension AppendedEntry {
    /// The last entry of what was appended: there is one.
    init(_ own: OwnAppend) {
        self.init(
            id: own.chunk.entries.last?.id.description ?? "",
            log: own.chunk.log.description,
            sequence: own.chunk.end - 1
        )
    }
}
