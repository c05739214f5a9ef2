internal import Entries
internal import NIOCore
internal import NIOPosix
internal import Sodium
internal import Storage
internal import Sync

/// The parts of a node, acquired in the order in which a failure costs least.
struct NodeParts: Sendable {
    let home: Home
    let lock: HomeLock
    let keys: HomeKeys
    /// The channel key of this run: the home's own, or, of what may be a copy, one of its own (`Home.runningKey`).
    let key: AgreementKey
    let store: EntryStore
    /// The store's files, as they lay there when it was opened.
    let database: DatabaseFiles
    /// Why this home signs nothing; nil if it signs.
    let stop: SigningStop?
    let listener: Listener?
    let control: ControlServer?
    let machine: NodeMachine
    /// Reads and writes beacons; nil if local discovery is off.
    let beacons: BeaconSeal?
    let dialling: NodeOptions.Dialling
    let known: KnownNodes
    let carry: Carrying
    /// The identity that writes here; nil on a hub.
    let identity: IdentityID?
    let carried: Carrying.Meaning
    let badLines: [PeersFile.BadLine]
    /// The event loop of the node's sockets and of the actor.
    let thread: LoopExecutor
    let cores: Int
    /// Files that the process may have open at once, and those of a node with all its connections.
    let openFiles: (allowed: Int, wanted: Int)
    let budget: DiskBudget?
    /// Result of fitting the database into `budget` at start.
    let budgetOutcome: BudgetOutcome

    init(_ home: Home, options: NodeOptions) async throws(NodeError) {
        openFiles = (OpenFileLimit.raised(for: options.filesAtMost), options.filesAtMost)
        guard openFiles.allowed >= options.filesAtLeast else {
            throw .tooFewFiles(allowed: openFiles.allowed, needed: options.filesAtLeast)
        }
        do throws(SystemError) {
            thread = try await LoopExecutor()
        } catch {
            throw .home(.system(error))
        }
        self.home = home
        cores = System.coreCount
        carry = options.carry
        budget = options.budget
        dialling = options.dialling
        let files: Files
        do throws(HomeError) {
            files = try Files(of: home)
        } catch {
            throw .home(error)
        }
        lock = files.lock
        known = files.known
        badLines = files.peers.badLines

        // Before the store: a busy port is reported at once, whatever the size of the store.
        listener = try await Self.listen(options.listen, on: thread)
        let opened: OpenedStore
        do throws(NodeError) {
            opened = try OpenedStore(of: home, options)
        } catch {
            listener?.close()
            throw error
        }
        do throws(NodeError) {
            control = try await Self.control(options.control, of: home, on: thread)
        } catch {
            listener?.close()
            try? opened.store.close()
            throw error
        }
        store = opened.store
        stop = opened.stop
        database = opened.database
        keys = opened.keys
        key = opened.key
        identity = opened.identity
        carried = opened.carried
        budgetOutcome = opened.budgetOutcome

        let presharedKey = files.secret?.presharedKey(in: home.network)
        switch options.discovery {
        case .on: beacons = BeaconSeal(network: home.network, secret: presharedKey)
        case .off: beacons = nil
        }
        machine = NodeMachine(
            configuration: NodeConfiguration(
                network: home.network,
                key: opened.key,
                secret: presharedKey,
                agent: options.agent,
                listenPort: listener?.address.port,
                exchange: options.dialling == .listedAndLearned ? .on : .off,
                identity: opened.identity
            ),
            state: opened.state,
            peers: files.peers.targets(options.dialling),
            scope: opened.carried.scope,
            seed: UInt64.random(in: .min ... .max)
        )
    }

    private static func listen(_ wish: ListenAddress?, on thread: LoopExecutor) async throws(NodeError) -> Listener? {
        guard let wish else { return nil }
        do throws(ListenError) {
            return try await Listener(wish, group: thread.loop)
        } catch {
            throw .listen(error)
        }
    }

    private static func control(
        _ wish: NodeOptions.Control,
        of home: Home,
        on thread: LoopExecutor
    ) async throws(NodeError) -> ControlServer? {
        switch wish {
        case .off: return nil
        case .on:
            do throws(HomeError) {
                return try await ControlServer(home.layout, group: thread.loop)
            } catch {
                throw .control(error)
            }
        }
    }
}

extension NodeParts {
    /// What the home's files say before the store is opened, and the lock over all of them.
    private struct Files {
        let lock: HomeLock
        let secret: NetworkSecret?
        let known: KnownNodes
        let peers: PeerList

        init(of home: Home) throws(HomeError) {
            lock = try HomeLock(home.layout, patience: TransportLimits.startPatienceMilliseconds)
            secret = try home.secret()
            let known = try HomeError.wrap { () throws(SystemError) in try KnownNodes(reading: home.layout.knownNodes) }
            peers = try HomeError.wrap { () throws(SystemError) in try PeerList(reading: home.layout, known: known) }
            self.known = known
        }
    }

    /// The store, within its budget, and what it and the keys say of the person here.
    private struct OpenedStore {
        let store: EntryStore
        let budgetOutcome: BudgetOutcome
        let state: StoreState
        let stop: SigningStop?
        let identity: IdentityID?
        let carried: Carrying.Meaning
        let keys: HomeKeys
        let key: AgreementKey
        let database: DatabaseFiles

        init(of home: Home, _ options: NodeOptions) throws(NodeError) {
            do {
                store = try home.openStore()
                database = DatabaseFiles(of: home.layout)
                budgetOutcome = try store.keep(within: options.budget) { SystemClock.wallMilliseconds }
                state = try store.state()
                stop = try home.signingStop(in: store.reader)
                identity = try store.reader.ownIdentity()
                carried = try options.carry.meaning(in: store.reader)
                // After the store: opening it completes an interrupted key change.
                keys = try home.keys()
                key = try home.runningKey(in: store.reader)
            } catch {
                switch error {
                case HomeError.store(let error), let error as StorageError: throw .store(error)
                case let error as HomeError: throw .home(error)
                default: throw .store(.other(String(describing: error)))
                }
            }
        }
    }
}

extension PeerList {
    /// The peers that a node with this option dials.
    fileprivate func targets(_ dialling: NodeOptions.Dialling) -> [PeerTarget] {
        switch dialling {
        case .listedAndLearned: listed + learned
        case .listed: listed
        case .none: []
        }
    }
}
