extension Node {
    /// A connection and what is to be told about it.
    struct OpenSession {
        let connection: Connection
        /// Unix milliseconds.
        let since: UInt64
        var traffic = Traffic()
    }

    /// Bytes of the sockets, encryption and all.
    struct Traffic {
        var received: UInt64 = 0
        var sent: UInt64 = 0
    }
}
