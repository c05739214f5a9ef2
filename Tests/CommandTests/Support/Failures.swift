import Testing

/// The two lines of an error, as every command writes them.
func expectFailure(
    _ ended: Spawned.Ended,
    _ code: Int32,
    _ message: String,
    hint: String,
    at location: SourceLocation = #_sourceLocation
) {
    #expect(ended.err == "scurry: error: \(message)\nhint: \(hint)\n", sourceLocation: location)
    #expect(ended.code == code, sourceLocation: location)
    #expect(ended.out.isEmpty, sourceLocation: location)
}
