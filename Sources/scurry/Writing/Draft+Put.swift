extension Draft {
    /// Puts a text into the draft's file, 0600, in place of what is there; what is there stays if that fails.
    func put(_ text: String) throws(Failure) {
        try replace(with: Array(text.utf8))
    }
}
