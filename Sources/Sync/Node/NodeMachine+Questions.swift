import Entries
import Sodium

/// Answers of the store: each goes to what asked for it; one that nothing waits for any more is ignored.
extension NodeMachine {
    mutating func answered(_ request: RequestID, ranges answers: [RangeAnswer]) {
        switch endQuestion(request) {
        case .serving(let id): serveRanges(answers, to: id)
        case .resumption(let id): resumed(answers, on: id)
        case .published, .ownNodes, .claim, .dispute, .descent, .words, nil: break
        }
    }

    mutating func answered(_ request: RequestID, bodies answers: [BodyAnswer]) {
        guard case .serving(let id) = endQuestion(request) else { return }
        serveBodies(answers, to: id)
    }

    mutating func answered(_ request: RequestID, prefix nodes: [Bytes32]?) {
        switch endQuestion(request) {
        case .serving(let id): servePrefix(nodes, to: id)
        case .published(let id, let end): showPublished(nodes, end, to: id)
        case .ownNodes(let id): readOwnLog(nodes, of: id)
        case .resumption, .claim, .dispute, .descent, .words, nil: break
        }
    }

    mutating func answered(_ request: RequestID, proof: PrefixProof?) {
        guard case .serving(let id) = endQuestion(request) else { return }
        serveProof(proof, to: id)
    }

    mutating func answered(_ request: RequestID, nodes: [Bytes32]?) {
        switch endQuestion(request) {
        case .serving(let id): serveNodes(nodes, to: id)
        case .descent(let id, let log): readNodes(nodes, of: log, id)
        case .resumption, .published, .ownNodes, .claim, .dispute, .words, nil: break
        }
    }

    mutating func answered(_ request: RequestID, weight: PrefixWeight) {
        switch endQuestion(request) {
        case .claim(let id): weighedClaim(weight, of: id)
        case .dispute(let id, let log): weighed(weight, of: log, id)
        case .serving, .resumption, .published, .ownNodes, .descent, .words, nil: break
        }
    }

    mutating func answered(_ request: RequestID, words outcomes: [WordOutcome]) {
        guard case .words = endQuestion(request) else { return }
        wordsChecked(outcomes)
    }

    mutating func readFailed(_ request: RequestID) {
        switch endQuestion(request) {
        case .serving(let id): serveFailure(to: id)
        case .resumption(let id): resumed([], on: id)
        case .published(let id, let end): showPublished(nil, end, to: id)
        case .ownNodes(let id): readOwnLog(nil, of: id)
        case .claim(let id): weighedClaim(.absent, of: id)
        case .dispute(let id, let log): weighed(.absent, of: log, id)
        case .descent(let id, let log): readNodes(nil, of: log, id)
        case .words, nil: break
        }
    }

    private mutating func endQuestion(_ request: RequestID) -> StoreQuestion? {
        readTurns.end(request)
        return questions.end(request)
    }
}
