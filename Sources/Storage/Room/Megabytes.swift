/// Amounts of disk space as people read them: millions of bytes.
///
/// What is needed is rounded up and what is free down, so that the two never look alike where there is too little.
enum Megabytes {
    static func needed(_ bytes: UInt64) -> String { "\(bytes / 1_000_000 + 1) MB" }

    static func free(_ bytes: UInt64) -> String { "\(bytes / 1_000_000) MB" }
}
