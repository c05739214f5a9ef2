package import Storage

/// What a node does besides serving its own home.
package struct NodeOptions: Hashable, Sendable {
    /// Nil: nobody can call this node.
    package var listen: ListenAddress?
    package var dialling = Dialling.listedAndLearned
    package var control = Control.on
    /// Whose logs it carries.
    package var carry = Carrying.everything
    /// Told to peers for their logs.
    package var agent = "scurry"

    package enum Dialling: Hashable, Sendable {
        case listedAndLearned
        /// Peers of the peers file, and nobody is told about them.
        case listed
        /// Waits to be called.
        case none
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
