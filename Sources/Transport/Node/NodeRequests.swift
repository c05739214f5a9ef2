package import Entries
internal import Logging
package import Storage
internal import Sync

extension Node {
    /// Signs an own entry, stores it durably and sends it to the connected peers.
    ///
    /// Throws `.storage(.busy)`, with nothing written, if the write has not begun by `before` (monotonic milliseconds).
    package func append(_ payload: Payload, before: UInt64? = nil) async throws(AppendError) -> OwnAppend {
        try await write { work.append(payload, before: before, publication, $0) }
    }

    /// Appends a delete of an own post and of every edit of it that is stored.
    package func delete(_ post: EntryID, before: UInt64? = nil) async throws(AppendError) -> OwnAppend {
        try await write { work.delete(post, before: before, publication, $0) }
    }

    /// Imports one frame of a bundle, of which the command knows the number.
    private func takeFile(_ frame: Frame, of file: UInt64?) async throws(StorageError) -> BundleReceipt {
        guard !isStopped else { throw .busy }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.takeFile(frame, of: file, $0) }.get()
    }

    /// Stores a settlement that a command signed; it is durable when this returns.
    private func settle(_ bytes: [UInt8]) async -> ControlResponse {
        do {
            guard !isStopped else { throw StorageError.busy }
            requestBegan()
            defer { requestEnded() }
            let signed = try SignedSettlement(verifying: bytes, network: home.network)
            _ = try await withCheckedContinuation { work.settle(signed, $0) }.get()
            return .done
        } catch let error as StorageError {
            return .failed(NodeFailure(error))
        } catch {
            return .failed(NodeFailure("the settlement does not hold"))
        }
    }

    /// Marks the whole own log as published, before a bundle with it leaves this home.
    private func releaseOwnLog() async throws(StorageError) -> OwnRelease? {
        guard !isStopped else { throw .busy }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { work.releaseOwnLog($0) }.get()
    }

    private func write(_ begin: (AppendReply) -> Void) async throws(AppendError) -> OwnAppend {
        guard !isStopped else { throw .storage(.busy) }
        // The store learns that signing stopped only with its next successful transaction: on a full disk that may take
        // long.
        guard !isSigningStopped else { throw .refused(work.signingRefusal) }
        if !hasStarted { work.start() }
        requestBegan()
        defer { requestEnded() }
        return try await withCheckedContinuation { begin($0) }.get()
    }

    /// Rereads the peers file and dials every peer that waits for a retry, also a listed one that was left alone.
    package func readPeers() {
        do throws(SystemError) {
            // `scurry leave` deletes pins from the file; those that are not written yet are kept.
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

    /// Rereads the device key after `lock` or `unlock`.
    func readKeys() {
        do throws(HomeError) {
            work.use(try home.keys().device)
            work.deleteStrayEdits(publication)
        } catch {
            // A key whose state is unknown counts as locked.
            work.use(nil)
            log.error("\(error)")
        }
    }

    /// Takes a device key from the command that opened it, where no file may hold it.
    private func unlock(_ sealed: [UInt8]) -> ControlResponse {
        do throws(HomeError) {
            guard let device = try home.device(opening: sealed) else {
                return .failed(NodeFailure("that is not this home's key"))
            }
            work.use(device)
            work.deleteStrayEdits(publication)
            return .done
        } catch {
            return .failed(NodeFailure(error.description))
        }
    }

    /// Answers a command's request.
    func answer(_ request: ControlRequest) async -> ControlResponse {
        switch request {
        case .append(let kind, let payload, let before):
            guard let payload = try? Payload.decode(kind: kind, bytes: Array(payload)) else {
                return .failed(NodeFailure("the payload does not parse"))
            }
            return await answer { () async throws(AppendError) in try await append(payload, before: before) }
        case .deletePost(let id, let before):
            guard let post = Base32.decode(id).flatMap({ EntryID($0) }) else {
                return .failed(NodeFailure("no post's id"))
            }
            return await answer { () async throws(AppendError) in try await delete(post, before: before) }
        case .status:
            work.checkFiles()
            return .status(statusReport())
        case .peersChanged:
            readPeers()
            return .done
        case .keyChanged:
            readKeys()
            return .done
        case .unlock(let sealed): return unlock(Array(sealed))
        case .sync(let milliseconds): return .synced(await syncOnce(milliseconds: milliseconds))
        case .importChunks(let body, let file):
            return await importing(Frame(type: ChunksFrame.type, body: Array(body)), of: file)
        case .importChanges(let body, let file):
            return await importing(Frame(type: ChangesFrame.type, body: Array(body)), of: file)
        case .settle(let bytes): return await settle(Array(bytes))
        case .releaseOwnLog:
            do throws(StorageError) {
                guard let own = try await releaseOwnLog() else { return .done }
                return .released(log: own.log, size: own.size, published: own.published)
            } catch {
                return .failed(NodeFailure(error))
            }
        case .stop:
            stop()
            return .done
        }
    }

    private func importing(_ frame: Frame, of file: UInt64?) async -> ControlResponse {
        do throws(StorageError) {
            return .imported(try await takeFile(frame, of: file))
        } catch {
            return .failed(NodeFailure(error))
        }
    }

    private func answer(_ write: () async throws(AppendError) -> OwnAppend) async -> ControlResponse {
        do throws(AppendError) {
            return .appended(AppendedEntry(try await write()))
        } catch {
            switch error {
            case .refused(let refusal): return .refused(Refusal(refusal))
            case .storage(let error): return .failed(NodeFailure(error))
            }
        }
    }
}

extension AppendedEntry {
    /// The last entry of an append; an append has at least one.
    init(_ own: OwnAppend) {
        self.init(
            id: own.chunk.entries.last?.id.description ?? "",
            log: own.chunk.log.description,
            sequence: own.chunk.end - 1
        )
    }
}
