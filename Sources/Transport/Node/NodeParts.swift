internal import Entries
internal import NIOCore
internal import NIOPosix
internal import Storage
internal import Sync

/// Everything that a node holds from its first moment, taken in the order in which a failure costs least.
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
    /// How it reads and writes beacons; nil if it keeps silent in the local network.
    let beacons: BeaconSeal?
    let dialling: NodeOptions.Dialling
    let known: KnownNodes
    let carry: Carrying
    /// Who writes here; nil for a hub.
    let identity: IdentityID?
    let carried: Carrying.Meaning
    let badLines: [PeersFile.BadLine]
    /// Everything of this node that waits for nothing runs on this one thread.
    let thread: LoopExecutor
    let cores: Int
    let budget: DiskBudget?
    /// What came of it.
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

        // Before the store: a busy port is told at once, whatever the store's size.
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
            // Behind the store: opening it finishes a change of keys.
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
