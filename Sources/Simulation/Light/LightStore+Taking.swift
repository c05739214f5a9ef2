import Entries

/// What a batch changes: chunks, words and findings put into the logs, and wants.
extension LightStore {
    /// Changes the logs, in the order in which a batch is stored.
    func takeLogs(_ batch: TakeBatch) {
        for log in batch.restarts where logs[log] != nil {
            logs[log]?.restart()
            transaction.touch(log)
        }
        for log in batch.droppedWindows where logs[log]?.gap != nil {
            if logs[log]?.standing.isComplete == false { dropWindow(log) }
            transaction.touch(log)
        }
        for settlement in batch.settlements { take(settlement) }
        for evidence in batch.evidence { take(evidence) }
        for item in batch.chunks {
            switch item.position {
            case .next: add(item.chunk, from: item.source)
            case .inPlace: replaceWindow(with: item.chunk, from: item.source)
            }
        }
        for finding in batch.findings where logs[finding.log]?.take(finding) == true {
            rank(finding.log)
            transaction.touch(finding.log)
        }
    }

    func takeWants(_ batch: TakeBatch) {
        for log in batch.forgottenWants { wants[log] = nil }
        for want in batch.wants
        where logs[want.log]?.lacks(want.size) ?? true && !transaction.forgotten.contains(want.log) {
            wants[want.log] = max(wants[want.log] ?? 0, want.size)
        }
    }

    private func dropWindow(_ log: LogID) {
        let source = logs[log]?.row?.source
        logs[log]?.dropWindow(source)
    }

    private func replaceWindow(with chunk: VerifiedChunk, from source: NodeID?) {
        transaction.touch(chunk.log)
        guard logs[chunk.log]?.fits(inPlace: chunk) == true else { return transaction.reject(chunk) }
        dropWindow(chunk.log)
        add(chunk, from: source)
    }

    func add(_ chunk: VerifiedChunk, from source: NodeID?) {
        let isFirst = chunk.start == 0 || chunk.left?.bounds.lowerBound == 0
        guard logs[chunk.log] != nil || isFirst else { return transaction.reject(chunk) }
        guard place(chunk.log, chunk.certificate), let taken = logs[chunk.log]?.add(chunk, from: source) else { return }
        switch taken {
        case .unwanted: return
        case .unfitting: return transaction.reject(chunk)
        case .added: break
        }
        rank(chunk.log)
        transaction.touch(chunk.log)
        if let want = wants[chunk.log], logs[chunk.log]?.lacks(want) == false { wants[chunk.log] = nil }
    }

    private func take(_ arrival: SettlementArrival) {
        let settlement = arrival.signed.settlement
        if settlement.isEnd { return end(arrival) }
        guard place(settlement.log, arrival.certificate),
            logs[settlement.log]?.certificate.certificate.identity == settlement.identity,
            logs[settlement.log]?.take(arrival.signed, from: arrival.source) == true
        else { return }
        rank(settlement.log)
        transaction.touch(settlement.log)
        readmitOwnLog(of: settlement.identity)
    }

    private func take(_ arrival: EvidenceArrival) {
        let log = arrival.evidence.log
        guard place(log, arrival.certificate), logs[log]?.take(arrival.evidence, from: arrival.source) == true else {
            return
        }
        rank(log)
        transaction.touch(log)
    }
}
