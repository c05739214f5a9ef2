/// A parser of foreign bytes, and what must hold whatever the bytes are.
enum FuzzTarget: String, CaseIterable {
    case frame
    case handshake
    case message
    case payload
    case proof
    case negentropy
    case bundle
    case intake
    case peers
    case invite
    case dialogue
    case beacon
    case control
    case home
    case store

    func run(_ bytes: [UInt8]) {
        var input = FuzzInput(bytes)
        switch self {
        case .frame: FrameFuzz.run(&input)
        case .handshake: HandshakeFuzz.run(&input)
        case .message: MessageFuzz.run(&input)
        case .payload: PayloadFuzz.run(&input)
        case .proof: ProofFuzz.run(&input)
        case .negentropy: NegentropyFuzz.run(&input)
        case .bundle: BundleFuzz.run(&input)
        case .intake: IntakeFuzz.run(&input)
        case .peers: PeersFuzz.run(&input)
        case .invite: InviteFuzz.run(&input)
        case .dialogue: DialogueFuzz.run(&input)
        case .beacon: BeaconFuzz.run(&input)
        case .control: ControlFuzz.run(&input)
        case .home: HomeFuzz.run(&input)
        case .store: StoreFuzz.run(&input)
        }
    }

    /// How many bytes may be on the heap at once for an input of `count`; nil: a store or a node works too, and only
    /// the process is bounded.
    ///
    /// The constants are what a few objects and the tables of a decoder take; the factors are what a byte can become,
    /// each target's own copies of input, events and what is written again among them.
    func memoryLimit(for count: Int) -> Int? {
        switch self {
        // The body of one message is reserved when its length has come: 1 MiB, twice since it is read twice.
        case .frame: 2 * 1_048_576 + 65_536 + 16 * count
        case .handshake: 1_048_576 + 64 * count
        // A field of two bytes may be an object; their number is bounded, 8,224 of a Chunks.
        case .message: 8 * 1_048_576 + 64 * count
        case .payload: 65_536 + 128 * count
        case .proof: 8 * 1_048_576 + 64 * count
        case .negentropy: 8 * 1_048_576 + 64 * count
        case .bundle: 16 * 1_048_576 + 64 * count
        case .peers: 65_536 + 256 * count
        case .invite: 65_536 + 128 * count
        case .beacon: 65_536 + 128 * count
        // Foundation's decoder, and a message within.
        case .control: 8 * 1_048_576 + 256 * count
        // A record of a backup may say that it is 1 MiB.
        case .home: 4 * 1_048_576 + 512 * count
        case .intake, .dialogue, .store: nil
        }
    }
}
