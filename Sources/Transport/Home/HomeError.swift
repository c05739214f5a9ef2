package import Storage

/// Why a home cannot be used; the command line has a message and a way out for each.
package enum HomeError: Error, Hashable, Sendable {
    /// There is no home here: `scurry init` makes one.
    case absent(String)
    /// There is a home already: `init` never overwrites.
    case exists(String)
    /// The directory holds other files and is open to others: a home would close it to them.
    case notEmpty(String)
    /// `init` was interrupted; nothing of it was ever used, and a new `init` starts over.
    case unfinished(String)
    /// The directory or a file in it belongs to another user.
    case foreignOwner(String)
    /// Others may read or write it; `chmod` to `permissions` closes it.
    case exposed(String, permissions: String)
    /// A file of this program does not parse.
    case damaged(String)
    /// An essential file is gone, while others of the home exist.
    case missing(String)
    /// The key's certificate is for another network.
    case foreignNetwork(String)
    /// Another process writes in this home; nil if it left no id.
    case busy(process: Int32?)
    /// `SCURRY_HOME` and `HOME` are unset, and the system knows no directory of this user.
    case nowhere
    /// A network's name has 1 to 64 printable ASCII characters and no space.
    case badNetworkName
    case store(StorageError)
    case system(SystemError)
}

extension HomeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .absent(let path): "there is no home at \(path)"
        case .exists(let path): "there is a home at \(path) already"
        case .notEmpty(let path): "\(path) holds other files than a home's, and a home would close it to other users"
        case .unfinished(let path): "the home at \(path) was never finished"
        case .foreignOwner(let path): "\(path) belongs to another user"
        case .exposed(let path, _): "other users can get at \(path)"
        case .damaged(let path): "\(path) is damaged"
        case .missing(let path): "\(path) is missing"
        case .foreignNetwork(let path): "\(path) belongs to another network"
        case .busy(let process?): "another process (\(process)) is using this home"
        case .busy(nil): "another process is using this home"
        case .nowhere: "no directory for a home: HOME is not set"
        case .badNetworkName: "a network's name has 1 to 64 printable ASCII characters and no space"
        case .store(let error): error.description
        case .system(let error): error.description
        }
    }
}
