#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Storage
import Transport

/// The failures of a node that does not start, and of one that does not answer.
enum NodeTerms {
    /// The hint where a call is taken and nothing comes: a private network tells nobody more.
    static let silenceHelp: SafeText =
        "scurry whoami, here and there, names the network; scurry status there tells whether the node hangs"

    /// Asks the home whether it is a node that holds its lock.
    static func failure(_ error: NodeError, on home: Home) -> Failure {
        guard case .home(.busy(let process)) = error else { return failure(error) }
        return Occupied.failure(process, on: home) {
            Failure(
                .tryAgain,
                "another node\(process.map { " (process \($0))" } ?? "") runs on this home",
                hint: "scurry status"
            )
        }
    }

    static func failure(_ error: NodeError) -> Failure {
        switch error {
        case .home(let error): Problems.failure(error)
        case .store(let error): Problems.failure(error)
        case .listen(.portBusy(let address)):
            Failure(
                .tryAgain,
                "port \(address.port) is busy: another program listens there",
                hint: "scurry run --listen :0 picks a free one"
            )
        case .listen(.addressNotHere(let address)):
            Failure(
                .failure,
                "\(address.host ?? "that") is no address of this machine",
                hint: "scurry run --listen :7776"
            )
        case .listen(.notPermitted(let address)):
            Failure(.failure, "port \(address.port) belongs to the system", hint: "scurry run --listen :7776")
        case .listen(.other(_, let reason)):
            Failure(.failure, "cannot listen: \(reason)", hint: "scurry run --listen :7776")
        case .control(.system(let error)) where error.code == ENAMETOOLONG:
            control(HomeError.system(error), hint: "scurry run with a shorter SCURRY_HOME")
        case .control(let error): control(error, hint: Problems.failure(error).hint)
        case .tooFewFiles(let allowed, let needed):
            Failure(
                .failure,
                "\(Amount.of(allowed, "file", "files")) may be open here at once, and a node needs \(needed) to start",
                hint: "ulimit -n 1024, in front of the command, or LimitNOFILE=1024 of a service; ulimit -Hn is as far "
                    + "as that goes"
            )
        }
    }

    private static func control(_ error: HomeError, hint: SafeText?) -> Failure {
        Failure(.failure, "cannot make the socket for commands: \(error.description)", hint: hint)
    }
}
