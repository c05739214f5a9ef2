package import Storage

/// Options of a node besides its home.
package struct NodeOptions: Hashable, Sendable {
    /// Nil: accepts no connections.
    package var listen: ListenAddress?
    package var dialling = Dialling.listedAndLearned
    package var control = Control.on
    package var discovery = Discovering.off
    /// Whose logs are carried.
    package var carry = Carrying.everything
    /// Bound of the database's size on disk; nil: none.
    package var budget: DiskBudget?
    /// Program name sent to peers, for their logs.
    package var agent = "scurry"

    package enum Dialling: Hashable, Sendable {
        case listedAndLearned
        /// Dials the peers file only; no peer exchange.
        case listed
        /// Dials nobody.
        case none
    }

    package enum Discovering: Hashable, Sendable {
        /// Sends beacons and dials the nodes that it hears (`protocol/discovery.md`).
        case on
        /// Sends and hears no beacons.
        case off
    }

    package enum Control: Hashable, Sendable {
        case on
        /// No control socket: for short runs and tests.
        case off
    }

    package init(listen: ListenAddress?, control: Control = .on) {
        self.listen = listen
        self.control = control
    }
}

/// Why a node did not start.
package enum NodeError: Error, Hashable, Sendable {
    case home(HomeError)
    case store(StorageError)
    case listen(ListenError)
    /// The control socket could not be made.
    case control(HomeError)
    /// The process may not have as many files open at once as a node needs to start.
    case tooFewFiles(allowed: Int, needed: Int)
}
