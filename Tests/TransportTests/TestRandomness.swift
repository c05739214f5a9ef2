/// The system's chance, for whoever takes a generator.
///
/// The system's own is a type without bytes, and has no address: the thread sanitizer looks there all the same where
/// one is passed to be changed (Swift 6.3), and the test ends.
struct TestRandomness: RandomNumberGenerator {
    private var drawn = 0

    mutating func next() -> UInt64 {
        drawn += 1
        return .random(in: .min ... .max)
    }
}
