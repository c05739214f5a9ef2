/// Notes the directories in which opened keys of a home were written, a line each, in the home's `opened_places`.
///
/// `XDG_RUNTIME_DIR` differs between a session, a terminal in a sandbox and a service: a `lock` in one of them has to
/// wipe what an `unlock` in another has written, and the node to find it.
struct OpenedPlaces {
    /// A guess: many times what one user's sessions have.
    private static let fileBytes = 65_536

    private let layout: HomeLayout

    init(_ layout: HomeLayout) {
        self.layout = layout
    }

    /// The places of this environment, and those that were noted.
    var all: [MemoryPlace] {
        layout.memory + noted.filter { !layout.memory.contains($0) }
    }

    /// Notes a place before a key is written to it, unless every session looks there anyway: then a full disk does not
    /// keep a key from being opened.
    func note(_ place: MemoryPlace) throws(HomeError) {
        guard !MemoryPlace.standard(runtime: nil).contains(place) else { return }
        let places = try HomeError.wrap { () throws(SystemError) in try read() }
        guard !places.contains(place) else { return }
        try write(places + [place])
    }

    /// Forgets places whose keys are wiped. One that is not to be seen from here, as from a sandbox, stays noted.
    func forget(_ wiped: [MemoryPlace]) throws(HomeError) {
        let left = noted.filter { !wiped.contains($0) }
        guard left.count < noted.count else { return }
        if !left.isEmpty { return try write(left) }
        try HomeError.wrap { () throws(SystemError) in try FileSystem.remove(layout.openedPlaces) }
    }

    private func write(_ places: [MemoryPlace]) throws(HomeError) {
        let text = places.map { $0.directory + "\n" }.joined()
        try HomeError.wrap { () throws(SystemError) in try FileSystem.replace(layout.openedPlaces, with: text) }
    }

    private var noted: [MemoryPlace] { (try? read()) ?? [] }

    private func read() throws(SystemError) -> [MemoryPlace] {
        let text = try FileSystem.readText(layout.openedPlaces, limit: Self.fileBytes)
        return (text ?? "").split(separator: "\n").compactMap { line in
            let directory = String(line)
            guard directory.hasPrefix("/"), let root = FileSystem.parent(of: directory) else { return nil }
            return MemoryPlace(root: root, directory: directory)
        }
    }
}
