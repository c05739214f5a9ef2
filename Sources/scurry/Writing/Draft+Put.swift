#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension Draft {
    /// Puts a text into the draft's file, 0600, in place of what is there.
    func put(_ text: String) throws(Failure) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        let outcome: Descriptor.Outcome =
            file < 0 ? .failed(errno: errno) : Descriptor(number: file).write(Array(text.utf8))
        if file >= 0 { close(file) }
        if case .failed(let code) = outcome {
            throw Failure(
                .failure,
                "cannot write the draft \(SafeText(line: path)): \(Descriptor.reason(code))",
                hint: "give the text instead: scurry post \"TEXT\""
            )
        }
    }
}
