/// The open requests to the store, and what each is for.
struct StoreQuestions {
    private var questions: [RequestID: StoreQuestion] = [:]
    /// Requests since the start; the id of the last.
    private(set) var drawn: UInt64 = 0

    var count: Int { questions.count }
    var isEmpty: Bool { questions.isEmpty }

    /// Draws the id of a request, by which the answer finds what it is for.
    mutating func open(_ question: StoreQuestion) -> RequestID {
        drawn += 1
        let request = RequestID(raw: drawn)
        questions[request] = question
        return request
    }

    /// Ends a request, answered or failed, and returns what it was for; nil: nothing waits for it any more.
    mutating func end(_ request: RequestID) -> StoreQuestion? {
        questions.removeValue(forKey: request)
    }

    /// The session ended: answers for it are of no use any more.
    mutating func removeAll(of session: SessionID) {
        questions = questions.filter { $0.value.session != session }
    }
}
