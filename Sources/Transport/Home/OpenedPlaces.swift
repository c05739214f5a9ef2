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

    /// Notes a place before a key is written to it, if it is not noted yet.
    func note(_ place: MemoryPlace) throws(HomeError) {
        var places = noted
        guard !places.contains(place) else { return }
        places.append(place)
        let text = places.map { $0.directory + "\n" }.joined()
        try HomeError.wrap { () throws(SystemError) in try FileSystem.replace(layout.openedPlaces, with: text) }
    }

    /// Forgets all places, from which the keys are wiped.
    func forget() throws(HomeError) {
        guard FileSystem.exists(layout.openedPlaces) else { return }
        try HomeError.wrap { () throws(SystemError) in try FileSystem.remove(layout.openedPlaces) }
    }

    private var noted: [MemoryPlace] {
        let text = (try? FileSystem.readText(layout.openedPlaces, limit: Self.fileBytes)) ?? nil
        return (text ?? "").split(separator: "\n").compactMap { line in
            let directory = String(line)
            guard directory.hasPrefix("/"), let root = FileSystem.parent(of: directory) else { return nil }
            return MemoryPlace(root: root, directory: directory)
        }
    }
}
