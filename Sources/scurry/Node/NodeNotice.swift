import Transport

/// Tells the running node that a file of its home has changed.
enum NodeNotice {
    /// True if a node was told; without one, the next node reads the file at its start.
    static func peersChanged(_ home: Home) -> Bool { send(.peersChanged, home) }

    static func keyChanged(_ home: Home) -> Bool { send(.keyChanged, home) }

    private static func send(_ request: ControlRequest, _ home: Home) -> Bool {
        do throws(ControlError) {
            return try ControlClient(home.layout).send(request) == .done
        } catch {
            return false
        }
    }
}
