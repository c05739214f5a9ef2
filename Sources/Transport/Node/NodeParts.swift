internal import Entries
internal import NIOCore
internal import NIOPosix
internal import Storage
internal import Sync

/// The parts of a node, acquired in the order in which a failure costs least.
struct NodeParts: Sendable {
    let home: Home
    let lock: HomeLock
    let keys: HomeKeys
    let store: EntryStore
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
    let budget: DiskBudget?
    /// Result of fitting the database into `budget` at start.
    let budgetOutcome: BudgetOutcome

    init(_ home: Home, options: NodeOptions) async throws(NodeError) {
        do throws(SystemError) {
            thread = try await LoopExecutor()
        } catch {
            throw .home(.system(error))
        }
        self.home = home
        cores = System.coreCount
        carry = options.carry
        budget = options.budget
        let list: PeerList
        let secret: NetworkSecret?
        do throws(HomeError) {
            lock = try HomeLock(home.layout, patience: TransportLimits.startPatienceMilliseconds)
            secret = try home.secret()
            let known = try HomeError.wrap { () throws(SystemError) in try KnownNodes(reading: home.layout.knownNodes) }
            list = try HomeError.wrap { () throws(SystemError) in try PeerList(reading: home.layout, known: known) }
            self.known = known
        } catch {
            throw .home(error)
        }
        badLines = list.badLines

        // Before the store: a busy port is reported at once, whatever the size of the store.
        if let wish = options.listen {
            do throws(ListenError) {
                listener = try await Listener(wish, group: thread.loop)
            } catch {
                throw .listen(error)
            }
        } else {
            listener = nil
        }

        let state: StoreState
        do {
            store = try home.openStore()
            budgetOutcome = try store.keep(within: options.budget) { SystemClock.wallMilliseconds }
            state = try store.state()
            stop = try store.reader.signingStop()
            identity = try store.reader.ownIdentity()
            carried = try options.carry.meaning(in: store.reader)
            // After the store: opening it completes an interrupted key change.
            keys = try home.keys()
        } catch {
            listener?.close()
            switch error {
            case HomeError.store(let error), let error as StorageError: throw .store(error)
            case let error as HomeError: throw .home(error)
            default: throw .store(.other(String(describing: error)))
            }
        }

        switch options.control {
        case .off: control = nil
        case .on:
            do throws(HomeError) {
                control = try await ControlServer(home.layout, group: thread.loop)
            } catch {
                listener?.close()
                try? store.close()
                throw .control(error)
            }
        }

        dialling = options.dialling
        let presharedKey = secret?.presharedKey(in: home.network)
        switch options.discovery {
        case .on: beacons = BeaconSeal(network: home.network, secret: presharedKey)
        case .off: beacons = nil
        }
        let peers: [PeerTarget] =
            switch options.dialling {
            case .listedAndLearned: list.listed + list.learned
            case .listed: list.listed
            case .none: []
            }
        machine = NodeMachine(
            configuration: NodeConfiguration(
                network: home.network,
                key: keys.node,
                secret: presharedKey,
                agent: options.agent,
                listenPort: listener?.address.port,
                exchange: options.dialling == .listedAndLearned ? .on : .off,
                identity: identity
            ),
            state: state,
            peers: peers,
            scope: carried.scope,
            seed: UInt64.random(in: .min ... .max)
        )
    }
}
