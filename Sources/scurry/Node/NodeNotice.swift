import Transport

/// Tells the running node that something in its home has changed.
enum NodeNotice {
    /// True if a node heard of it; without one it reads the file when it starts.
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
