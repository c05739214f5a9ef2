package import Storage

/// What a node does besides serving its own home.
package struct NodeOptions: Hashable, Sendable {
    /// Nil: nobody can call this node.
    package var listen: ListenAddress?
    package var dialling = Dialling.listedAndLearned
    package var control = Control.on
    package var discovery = Discovering.off
    /// Whose logs it carries.
    package var carry = Carrying.everything
    /// What the database may take on the disk; nil: what it needs.
    package var budget: DiskBudget?
    /// Told to peers for their logs.
    package var agent = "scurry"

    package enum Dialling: Hashable, Sendable {
        case listedAndLearned
        /// Peers of the peers file, and nobody is told about them.
        case listed
        /// Waits to be called.
        case none
    }

    package enum Discovering: Hashable, Sendable {
        /// Says that it is there, and calls whom it hears (`protocol/discovery.md`).
        case on
        /// Says nothing to the local network.
        case off
    }

    package enum Control: Hashable, Sendable {
        case on
        /// Commands cannot reach this node: for short runs and tests.
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
    /// The local socket that commands talk to could not be made.
    case control(HomeError)
}
