extension Draft {
    /// Replaces the text in the draft's file, mode 0600; if that fails, the old text stays.
    func put(_ text: String) throws(Failure) {
        try replace(with: Array(text.utf8))
    }
}
