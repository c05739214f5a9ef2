/// A comparison of whole frontiers, page by page (`protocol/sync.md` §10).
struct Comparison {
    /// The dialler's requests.
    var pages = ComparisonPages()
    /// When the dialler may begin a run, of pages or a reconciliation.
    var pace = ComparisonPace()
    /// The listener's answers.
    var answers = PageAnswers()
}
