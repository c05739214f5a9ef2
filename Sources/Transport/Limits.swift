/// Every bound of sockets and files, with its reason; those of the protocol are in `Sync`.
package enum TransportLimits {
    /// Names that a person wrote, and those that others told of, for which the system is asked at once: each has a thread. A guess.
    static let listedNamesAtOnce = 16
    static let learnedNamesAtOnce = 4
    /// A name that resolves to silence is given up after this; the machine comes back to it.
    ///
    /// Three retransmissions of TCP's first packet (1 + 2 + 4 s) and some.
    package static let connectTimeoutSeconds: Int64 = 10

    /// Bytes that the other host's system does not acknowledge for so long mean that it is gone, or that the way is.
    ///
    /// Longer than the 20 s in which a peer owes an answer: on a bad wire TCP is still repeating then. Linux counts bytes too
    /// for which the other system has no room, so that a peer that reads nothing at all is dropped here after this time, and
    /// elsewhere after `Limits.readingDeadlineMilliseconds`; one that reads a little opens its window, and begins anew.
    static let acknowledgementSeconds = 30

    /// How long a probed node may take for its half of a handshake: several round trips around the world.
    package static let probeAnswerSeconds: Int64 = 5

    /// Addresses heard from peers are written once in this time, for the next start: what came in between is a guess less.
    static let learningRestMilliseconds = 10_000

    /// Connections that others opened, all together; the ones above are closed before anything is read.
    ///
    /// Each may cost a megabyte of unfinished message; a guess.
    package static let incomingConnections = 256

    /// Connections from one address: a lecture hall behind one address translator still fits. A guess.
    package static let incomingConnectionsPerAddress = 32

    /// Connections that others may open at once, and from then on in a second, from wherever they come: what is above waits in
    /// the kernel's queue.
    ///
    /// A refusal costs some 0.5 ms of both cores and a handshake about as much, so that whoever knocks as fast as it can takes
    /// a thirtieth of a core. The nodes of a lecture hall all come in within two seconds.
    package static let arrivalsAtOnce: Int64 = 64
    package static let arrivalsPerSecond: Int64 = 64

    /// Of these, from one host (of IPv6, one /64), loopback excepted: what is above is closed before anything is set up for it. As
    /// many at once as may come from one address, and then as few as leave most of the pace to others. A guess.
    package static let arrivalsAtOncePerHost: Int64 = 32
    package static let arrivalsPerSecondPerHost: Int64 = 8

    /// So many that are closed so cost as much of the pace as one that is taken in.
    package static let refusalsPerArrival: Int64 = 8

    /// Hosts of which it is kept how fast they came; at that pace some two hundred are not at rest.
    package static let arrivalHosts = 1_024
    /// Where the system has no file or memory left for a connection: when it is looked for again. A guess.
    package static let starvedArrivalMilliseconds: Int64 = 1_000

    /// Bytes that wait for a slow reader before its connection is given up.
    ///
    /// Credit keeps an honest peer's queue below its own share; only what needs none, or a broken machine, gets here.
    package static let outboundBytes = 33_554_432

    /// Bytes put into one write of the socket: more gains nothing on loopback.
    package static let writeBytes = 262_144

    /// Bytes taken from the kernel at once.
    package static let readBytes = 262_144

    /// Of these, bytes that are handled in one go while others have something to say too: a message of the channel.
    static let turnBytes = 65_536

    /// What is checked without a change of threads: a post as people write them, alone. Its signature takes some 40 µs, so many
    /// hashes as much again at most.
    static let checkedAtOnceEntries: UInt64 = 16
    static let checkedAtOnceBytes = 4_096

    /// From the wish to stop until everything is closed, finished or not: a person at the terminal waits.
    package static let stopMilliseconds: UInt64 = 900

    /// What a connection gets to write out when its node ends without waiting for it: a local socket needs less than one.
    package static let lastWriteMilliseconds: Int64 = 50

    /// A request on the control socket: the longest frame of a bundle, 1 MiB, in base64.
    package static let controlRequestBytes = 1_441_792

    /// An answer on the control socket: a status with a thousand peers fits ten times over.
    package static let controlResponseBytes = 4_194_304

    /// Arrays and objects within each other in a request or an answer: a status, the deepest, has five.
    static let controlNesting = 16

    /// Commands at once: a person has two hands, a script may have a few dozen.
    package static let controlConnections = 64

    /// A command that connects and says nothing holds one of those places no longer than this; one that was answered, no longer
    /// than twice this.
    package static let controlRequestMilliseconds: UInt64 = 10_000

    /// How long a command waits for the running node before it calls it hung: several slow commits of a busy disk.
    package static let controlAnswerMilliseconds: UInt64 = 10_000

    /// How long a command waits for another command that is writing.
    package static let lockPatienceMilliseconds: UInt64 = 5_000

    /// How long a starting node waits for a command that is writing.
    package static let startPatienceMilliseconds: UInt64 = 2_000

    /// A peers file: ten thousand lines of the longest kind.
    package static let peersFileBytes = 4_194_304

    /// A file of settings: a thousand times what there is to set.
    package static let settingsFileBytes = 1_048_576

    /// How often a node looks whether its program was replaced.
    static let housekeepingSeconds: Int64 = 60

    /// The new program has shown by then that it runs: the copy from before a migration is of no use any more.
    static let migrationCopySeconds: UInt64 = 86_400

    /// Bytes of a path that fit the kernel's address of a local socket, without the NUL (`sockaddr_un`).
    package static let socketPathBytes = 107
}
