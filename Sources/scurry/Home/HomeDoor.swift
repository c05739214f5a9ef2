import Transport

/// Finds and opens the home that the environment names.
enum HomeDoor {
    static func layout(_ environment: Environment) throws(Failure) -> HomeLayout {
        try Problems.naming { () throws(HomeError) in try HomeLayout { environment[$0] } }
    }

    /// - Throws: `Failure` 1 with `scurry init` as its hint if there is none.
    static func open(_ environment: Environment) throws(Failure) -> Home {
        let layout = try layout(environment)
        return try Problems.naming { () throws(HomeError) in try Home(opening: layout) }
    }

    /// Opens the home; nil if `init` has not made one.
    static func openIfMade(_ environment: Environment) throws(Failure) -> Home? {
        let layout = try layout(environment)
        do throws(HomeError) {
            return try Home(opening: layout)
        } catch {
            switch error {
            case .absent, .unfinished: return nil
            default: throw Problems.failure(error)
            }
        }
    }
}
