/// Bounds of sockets, files and commands, each with its reason; the bounds of the protocol are in `Sync`.
package enum TransportLimits {
    /// Names from the peers file that `getaddrinfo` resolves at once; each lookup holds a thread. A guess.
    static let listedNamesAtOnce = 16
    /// Names learned from other peers that `getaddrinfo` resolves at once, beside the listed ones. A guess.
    static let learnedNamesAtOnce = 4
    /// Timeout of a TCP connect, and of a name lookup; the machine retries later.
    ///
    /// Covers three retransmissions of the SYN (1 + 2 + 4 s).
    package static let connectTimeoutSeconds: Int64 = 10

    /// TCP user timeout: a connection whose bytes stay unacknowledged for this long is dropped.
    ///
    /// Longer than the 20 s in which a peer owes an answer: on a lossy link TCP is still retransmitting then. Linux
    /// also counts bytes that meet a closed receive window, so a peer that reads nothing is dropped there after this
    /// time, elsewhere after `Limits.readingDeadlineMilliseconds`; a peer that reads a little reopens its window and
    /// restarts the timer.
    static let acknowledgementSeconds = 30

    /// Timeout of a probed node's half of the handshake: several round trips around the world.
    package static let probeAnswerSeconds: Int64 = 5

    /// Time from an own post to the note outside the home of how far the own log has come: what a crash loses in
    /// between leads to no conclusion. A guess.
    static let ownLogNoteMilliseconds: Int64 = 100

    /// Least interval between two writes of the addresses learned from peers, which only the next start reads: what a
    /// crash loses in between is a few guesses.
    static let learningRestMilliseconds = 10_000

    /// Open incoming connections in total; further ones are closed before anything is read.
    ///
    /// Each may hold a megabyte of unfinished message. A guess.
    package static let incomingConnections = 256

    /// Open incoming connections from one address: enough for a lecture hall behind one NAT. A guess.
    package static let incomingConnectionsPerAddress = 32

    /// Incoming connections accepted in one burst, and then per second, from all hosts together (token bucket); the
    /// others wait in the kernel's queue.
    ///
    /// A refusal costs about 0.5 ms of both cores and a handshake about as much, so a flood takes a thirtieth of a
    /// core. All nodes of a lecture hall get in within two seconds.
    package static let arrivalsAtOnce: Int64 = 64
    package static let arrivalsPerSecond: Int64 = 64

    /// Share of one host in that rate (of IPv6: one /64; loopback excepted); further connections are closed before
    /// anything is set up for them. The burst is what one address may hold open; the rate leaves most of the total to
    /// others. A guess.
    package static let arrivalsAtOncePerHost: Int64 = 32
    package static let arrivalsPerSecondPerHost: Int64 = 8
    /// Share of one site, that is a /48 of IPv6: half of the rate, since a line at home has many /64s.
    package static let arrivalsAtOncePerSite: Int64 = 32
    package static let arrivalsPerSecondPerSite: Int64 = 32

    /// Refused connections that cost as many tokens of the rate as one accepted connection.
    package static let refusalsPerArrival: Int64 = 8

    /// Hosts whose arrival rate is tracked; at the total rate about two hundred have a bucket that is not full.
    package static let arrivalHosts = 1_024
    /// Pause of the listener after `accept` ran out of file descriptors or memory. A guess.
    package static let starvedArrivalMilliseconds: Int64 = 1_000

    /// Bytes queued for a slow reader before its connection is aborted.
    ///
    /// Credit keeps an honest peer's queue below its own bound; only messages that need no credit, or a broken machine,
    /// reach this one.
    package static let outboundBytes = 33_554_432

    /// Bytes of one socket write; more gains nothing on loopback.
    package static let writeBytes = 262_144

    /// Bytes of one socket read.
    package static let readBytes = 262_144

    /// Received buffers of one connection that wait for the node when its reading pauses: a few reads ahead keep the
    /// link busy while the node decrypts. A guess.
    static let inboxFullBuffers = 4
    /// Those that still wait when it goes on: half. A guess.
    static let inboxResumedBuffers = 2

    /// Bytes of a read that are handled in one turn while other connections are active: one message of the channel.
    static let turnBytes = 65_536

    /// Each connection may use one part in this many of the node's time while others are active (`ReadingRate`).
    static let readingShareDivisor: UInt64 = 3
    /// Debt of a connection that delays nothing: the pages and first entries of a peer that comes back.
    static let readingBurstMicroseconds: UInt64 = 50_000
    /// Debt that a connection does not leave to its host when it ends, so that a peer that says little and calls often
    /// owes nothing.
    static let forgivenDebtMicroseconds = readingBurstMicroseconds / 4
    /// Most debt that a host keeps from its ended connections: a delay of some seconds, which no deadline takes for
    /// silence.
    static let leftDebtMicroseconds: UInt64 = 1_000_000
    /// Hosts whose debt is kept; beyond that, debt of further hosts is dropped.
    static let owingHosts = 1_024
    /// A connection, or this home, counts as active for this long after its last bytes.
    static let activeMicroseconds: UInt64 = 5_000_000

    /// A chunk up to this size is verified on the event loop: one live post of usual length. Its signature takes some
    /// 40 µs, its hashes at most as much again.
    static let checkedAtOnceEntries: UInt64 = 16
    static let checkedAtOnceBytes = 4_096

    /// Shares of a batch for each thread that verifies: a thread that has to wait for its core leaves the rest to the
    /// others. A guess.
    static let verificationSharesPerThread = 4

    /// Timeout of a shutdown: everything is closed then, finished or not, since a person waits at the terminal.
    package static let stopMilliseconds: UInt64 = 900

    /// Bytes of a node's log that wait for whoever reads it, as while its terminal is stopped; lines that do not fit are
    /// dropped. An ordinary node logs less in a day. A guess.
    package static let waitingLogBytes = 262_144

    /// Time that an ending process waits for a reader of its log: one that reads at all needs less, and a person or a
    /// service manager waits for the end. A guess.
    package static let lastLogMilliseconds = 1_000

    /// Time to flush a connection when its node ends without waiting for it; a local socket needs less than 1 ms.
    package static let lastWriteMilliseconds: Int64 = 50

    /// Bytes of a request on the control socket: the longest frame of a bundle, 1 MiB, in base64.
    package static let controlRequestBytes = 1_441_792

    /// Bytes of a response on the control socket: ten times a status with a thousand peers.
    package static let controlResponseBytes = 4_194_304

    /// Nesting of arrays and objects in a request or response; a status, the deepest, has five levels.
    static let controlNesting = 16

    /// Commands connected at once: a person has two hands, a script may have a few dozen.
    package static let controlConnections = 64

    /// Timeout of a command that connects and sends no request, so that it does not hold one of those places; an
    /// answered command is disconnected after at most twice this.
    package static let controlRequestMilliseconds: UInt64 = 10_000

    /// Time that a command waits for the running node's response before it reports it as hung: several slow commits of
    /// a busy disk.
    package static let controlAnswerMilliseconds: UInt64 = 10_000

    /// Time that a command waits to learn whether a node runs, and its status: nobody waits for a heading, and a node on
    /// a busy machine, which may be a quarter of a second late, is not to be called silent. A guess.
    package static let controlGlanceMilliseconds: UInt64 = 1_000

    /// Time that a command waits for the home's lock while another command writes.
    package static let lockPatienceMilliseconds: UInt64 = 5_000

    /// Time that a starting node waits for the home's lock while a command writes.
    package static let startPatienceMilliseconds: UInt64 = 2_000

    /// Time that a command waits for another one that replaces `device.key` (`KeyTurn`): longer than any key
    /// derivation. A guess.
    static let keyPatienceMilliseconds: UInt64 = 30_000

    /// Time that a backup waits for its share of the copies (`BackupTurn`): longer than anybody takes to remove a few
    /// files. A guess.
    static let backupPatienceMilliseconds: UInt64 = 2_000

    /// Time that a command waits for others that change the peers file or the settings (`SettingsTurn`): hundreds of
    /// commands in a row take less. A guess.
    package static let settingsPatienceMilliseconds: UInt64 = 10_000

    /// The same for a node: short, since a stopping node waits for it, and a running one retries.
    static let nodeSettingsPatienceMilliseconds: UInt64 = 500

    /// Bytes of a file that are overwritten before it is removed: many times a key file.
    static let wipedBytes = 65_536

    /// Entries after which a lot of an import without a node is stored: one transaction, as large as a session's batch,
    /// a tenth of a second of work.
    static let importTransactionEntries: UInt64 = 10_000
    /// Bytes of frames after which it is.
    static let importTransactionBytes = 4_194_304

    /// Logs that an `ImportSummary` counts of each sort (`laterLogs`, `passedLogs`, `refusedLogs`), at most, since a
    /// forged bundle names logs for free: more than a campus has.
    static let lateLogsCount = 100_000

    /// Times that one bundle may make the entries of an identity be counted anew (`BundleRecounts`): a device that is
    /// cut off takes one or two, and of a person with 70,000 votes each takes up to 0.4 s. What is left over the next
    /// import of the same bundle takes.
    static let bundleRecounts = 4
    /// Identities for which that is counted, for each bundle: more than a campus has; 64 bytes each.
    static let bundleRecountedIdentities = 16_384
    /// Bytes that one bundle may make be counted anew of all identities together, as quotas count them: as much as one
    /// identity may bring at once. Of votes ten seconds' work; identities with many are free.
    static let bundleRecountedBytes: UInt64 = 67_108_864
    /// Bundles for which a running node counts it: more than anybody imports side by side.
    static let bundlesRead = 8

    /// Logs that an export reads together: enough to fill a frame with logs of a few entries. A guess.
    static let exportPageLogs = 1_024

    /// Interval at which discovery enumerates the machine's networks. A guess.
    static let discoveryLookMilliseconds: UInt64 = 15_000

    /// Heard datagrams and timers that wait for discovery; a flood drops the oldest. A guess.
    static let discoveryInputsCount = 64

    /// Time that a call to the local network waits for answers: the longest `BeaconSchedule.answerDelayMilliseconds`
    /// with its pause, and a slow network.
    static let callAnswersMilliseconds = 2_000

    /// Bytes of a peers file: ten thousand lines of the longest kind.
    package static let peersFileBytes = 4_194_304

    /// Bytes of a settings file: a thousand times all settings.
    package static let settingsFileBytes = 1_048_576

    /// Time in which the log tells of one stranger that came, and of one that went, for each host: as long as for what
    /// it did wrong (`Sync/Peers/Complaints`).
    static let strangerLineMilliseconds: UInt64 = 600_000

    /// Pairs of a host and what happened of which that is remembered: 500 kB. A guess.
    static let strangerLines = 4_096

    /// Files of a node without connections, besides discovery's loops: the streams, the lock, the database for its
    /// writer and its readers, an event loop, two listening sockets, and what is opened for a moment. Some 30, doubled.
    static let openFilesAtLeast = 64

    /// Files of an event loop: its queue of events, its timer and its bell (epoll).
    static let loopFiles = 3

    /// Interval of a node's maintenance: the check for a replaced program, an owed scrub, unwritten pins.
    static let housekeepingSeconds: Int64 = 60

    /// Age at which the database copy from before a migration is deleted: by then the new program has shown that it
    /// runs.
    static let migrationCopySeconds: UInt64 = 86_400

    #if os(Linux)
        /// Longest path of a local socket in bytes, without the NUL (`sockaddr_un`).
        package static let socketPathBytes = 107
    #else
        /// Longest path of a local socket in bytes, without the NUL (`sockaddr_un`).
        package static let socketPathBytes = 103
    #endif
}
