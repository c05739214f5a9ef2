/// Every bound of the protocol, with its reason.
package enum Limits {
    // MARK: Channel

    /// Bytes of one protocol message, type and body together (`protocol/channel.md`).
    ///
    /// A peer can make this node hold that much for one message; fifteen payloads of the largest size fit in.
    package static let maximumMessageBytes = 1_048_576

    /// Bytes of one Noise message, tag included (Noise §3): the most that its two-byte length prefix can say.
    package static let maximumNoiseMessageBytes = 65_535

    /// Transport messages in one direction after which both sides rekey that direction (Noise §11.3).
    ///
    /// So at most 4 GiB go under one key, and a leaked key opens nothing from before its rekey. A guess.
    package static let rekeyIntervalMessages: UInt64 = 65_536

    // MARK: Lists in messages (`protocol/wire.proto`)

    /// Optional features that one Hello may name; far more than exist.
    static let featuresCount = 64
    /// UTF-8 bytes of the agent in a Hello: one line of a log file; a longer agent is cut.
    package static let maximumAgentBytes = 64
    /// Logs in one Changes: about 80 KB a page, small beside a chunk; two million logs take a thousand pages.
    static let changesPageLogs = 2_000
    /// Logs that one Want asks for: enough to keep a fast link busy with tiny logs.
    static let wantsPerMessage = 1_024
    /// Wants of one peer that may wait for their answer.
    static let wantsUnanswered = 8_192
    /// Chunks in one message. A chunk of a new log takes about 350 bytes besides its entries, so about 3,000 fill a
    /// message.
    static let chunksPerMessage = 4_096
    /// Nodes of one compact range: within 2³² leaves it has at most 32 on each slope.
    static let rangeNodesCount = 64
    /// PrefixWanted and NodesWanted of one peer together that may wait for their answer: each answer is small, and
    /// takes the store a few reads.
    static let prefixesUnanswered = 64
    /// Logs whose histories are compared with one peer at once; the own log's comparison comes on top.
    static let disputesCount = prefixesUnanswered - 1
    /// Logs for which one peer is asked at once for a substitute (`Substitute`): a history that may replace what lies
    /// behind a gap. A guess.
    static let substitutesCount = 64
    /// Pairs of log and node for which the last request for a substitute is remembered; some 100 bytes each. A guess.
    static let substituteTriesCount = 4_096
    /// First differences found between two histories that wait for the next transaction; a kilobyte or two each.
    static let findingsCount = 1_024
    /// Nodes in one Nodes message: the descendants of one node eight levels down, as the store keeps them.
    static let descendantsCount = 256
    /// Bytes of fork evidence: two heads and two entries, and at most ranges of 32, 64 and 64 nodes.
    static let evidenceBytes = 248...5_368
    /// Places in one BodiesWanted, and bodies in one Bodies.
    static let bodiesPerMessage = 1_024
    /// Bodies that one peer asked for and that may wait for their answer.
    static let bodiesUnanswered = 8_192
    /// Logs in one Compare page.
    static let comparePageLogs = 2_000
    /// Logs in one Comparison: 700 KB of the largest message.
    static let comparisonLogs = 16_384
    /// Frame limit of a Negentropy message: 4,096 ids, some 4 ms of work for the side that answers. A guess.
    package static let reconciliationFrameBytes = 131_072
    /// Bytes of the largest Negentropy message: after a list that was ended below the frame limit one range follows.
    static let reconciliationMessageBytes = reconciliationFrameBytes + 1_024
    /// Ids in one list: as many as fit a message.
    static let reconciliationIDs = reconciliationMessageBytes / 32
    /// Rounds of one reconciliation stage: at most 16 MiB each way, and half a million ids. Differences found by then
    /// are exchanged; a later run finds the rest.
    static let reconciliationRounds: UInt32 = 128
    /// Differences after which a stage is given up: 5 MB of items of this side's, sent in one go.
    static let reconciliationFindings = 65_536
    /// Items in one Items message: 1 MiB with everything that a later version may say of a log.
    static let itemsPerMessage = 1_024
    /// Items of the first stage: changes made while a peer was away are among the newest (`protocol/sync.md` §13).
    static let reconciliationStageItems = 1_024
    /// Growth of the stages: each covers this many times the items of the one before.
    static let reconciliationStageFactor = 8
    /// Frontiers whose sizes differ by more than this factor are listed, not reconciled: most of the larger is missing,
    /// and finding that out costs four times the bytes of listing it.
    static let reconciliationSizeFactor: UInt64 = 4
    /// Addresses in one Peers message.
    static let peersPerMessage = 32
    /// Bytes of a host: the longest name in the domain name system (RFC 1035 §2.3.4).
    static let maximumHostBytes = 253

    // MARK: Flow

    /// Credit window: bytes of chunks and bodies that a peer may send ahead of what is stored.
    ///
    /// Sixteen messages of the usual size, so that the link, the verifier and the store all have work. It bounds what
    /// one peer can make this node hold.
    package static let creditWindowBytes: UInt64 = 4_194_304
    /// The least credit that a Hello may give: two of the largest messages (`protocol/sync.md §7`).
    static let minimumCreditBytes: UInt64 = 2 * (UInt64(maximumMessageBytes) + 4)
    /// Credit is given back in eighths of the window: one small message for two usual ones.
    static let creditReturnBytes: UInt64 = creditWindowBytes / 8
    /// Cap of the credit counted for a peer: more than any sender can use.
    static let maximumCreditBytes: UInt64 = 1 << 40
    /// Usual size of a message of chunks: large enough that the cost per message vanishes, small enough that the first
    /// is verified while the second is on its way.
    static let chunksMessageBytes = 262_144
    /// Largest chunk that is pushed; a larger one is announced and asked for. Half of the largest message, two usual
    /// ones.
    static let pushedChunkBytes = 524_288
    /// Bytes pushed to one peer at once; fresh entries beyond that are announced and asked for.
    static let pushedBytes = 524_288
    /// Bytes of entries pushed to a peer that reconnects with a cursor, in place of announcements.
    ///
    /// Some 200 posts, and little in vain for a peer that has them from another by then. A guess.
    static let resumedBytes = 65_536
    /// Changes since a peer's cursor up to which entries are pushed in place of announcements. A guess.
    static let resumedChanges = 256
    /// Logs of these read from the store at once: as many as the verifier's first batch takes (`openingBatchWork`).
    static let resumedLotLogs = 28
    /// With less left of `resumedBytes` the rest is announced, since the store answers with at least one entry.
    static let resumedLeastBytes = 4_096
    /// Bytes read from the store at once for one peer: two usual messages.
    static let readBytes = 524_288
    /// Wants, or places of bodies, handed to the store in one request.
    static let readWantsCount = 256
    /// Credit below which nothing is read for a peer: one entry of the largest size and its proof, with room.
    static let readableCreditBytes: UInt64 = 131_072
    /// Requests for what peers want that are open at the store at once, over all peers: it answers one while another's
    /// answer is packed. A live entry waits for that many answers at most, and that many are in memory beside the
    /// queues.
    static let readingsCount = 2
    /// Queue length up to which pages and chunks are made for a peer.
    ///
    /// What is begun below it is one more answer of the store (`readBytes`), page or message of a reconciliation, so
    /// that some 1.5 MiB wait for a peer that reads nothing. The queue has to last as long as the store takes to
    /// answer: a fiftieth of a second at a node's full sending rate.
    package static let queueSoftBytes = 1_048_576
    /// `queueSoftBytes` while the node is crowded; an answer of the store is then one message. A peer that reads still
    /// gets its turn, and has the socket's own buffer beside this queue.
    package static let queueCrowdedBytes = 131_072
    /// Bytes queued for all peers together from which on the node is crowded.
    package static let queueCrowdBytes = 16_777_216
    /// Bytes queued for all peers together above which the connection with the longest queue is closed. Peers that only
    /// ask and read nothing never come near it, however many they are.
    package static let queueTotalBytes = 67_108_864
    /// Queue length at which a peer that asks on and reads nothing is closed. OwnLog, Prefix, Nodes, Items, Peers and
    /// KeepAlive are sent without waiting for room in the queue.
    package static let queueHardBytes = 16_777_216
    /// Time within which a peer has to take some of the bytes queued for it, or it is dropped: 256 KiB, which are
    /// written at once, at 2 KB/s, as in the other direction (`slowProgressMilliseconds`).
    package static let readingDeadlineMilliseconds: UInt64 = 120_000

    // MARK: Verification and store

    /// Entries of one batch for the verifier or the store: with `batchBytes` about a tenth of a second of work. A
    /// guess.
    static let batchEntries: UInt64 = 10_000
    /// Bytes of one batch for the verifier or the store. A guess.
    static let batchBytes = 4_194_304
    /// Target duration of a transaction while the author here or a second peer brings live entries.
    ///
    /// A live entry waits for up to three transactions, at each node on its way; on a disk that flushes in 1 ms half of
    /// the transaction is still work. A guess.
    static let sharedBatchMilliseconds: UInt64 = 1
    /// Target duration of a transaction while one peer alone brings all that comes: as much as `batchEntries` and
    /// `batchBytes` take on a usual machine.
    static let loneBatchMilliseconds: UInt64 = 100
    /// Work (`Pace`) of the first batch after the pipeline was idle; each next one does up to twice as much.
    ///
    /// One post by each of 28 writers is verified in half a millisecond on two cores, and as many again while the store
    /// takes these.
    static let openingBatchWork: UInt64 = 256
    /// Logs and chunks of one peer's messages that are read before other peers get their turn: a millisecond or two. A
    /// guess.
    static let turnItems = 128
    /// Time for which a peer, or the author here, counts as live after bringing something. A guess.
    static let livelyMilliseconds: UInt64 = 5_000
    /// Work of a transaction that is allowed however slow the store is (`Pace`): a log's first 56 entries, or the first
    /// entry of each of 7 logs.
    static let leastBatchWork: UInt64 = 64
    /// Work of a pushed chunk up to which it is stored before others' history: some posts, or one of the largest size.
    static let liveWork: UInt64 = 80
    /// Live work that one session may bring in a second; more waits with the history.
    ///
    /// Some 200 posts of different people: a campus of a hundred thousand at noon. A guess.
    static let liveWorkPerSecond: UInt64 = 2_000
    /// Live work that one session may bring at once after a pause: some 400 such posts. A guess.
    static let liveBurstWork: UInt64 = 4_000
    /// Pause after a transaction of history while others are live, as a multiple of the time that its logs took
    /// (entries apart).
    static let bulkPauseFactor: UInt64 = 3
    /// The same for logs of which nothing is here yet, from a peer that no person here listed.
    ///
    /// They may be a flood of new identities, of which 700 to 900 a second are still stored; or a member who comes back
    /// from elsewhere with a few hundred new people, who are here within a second or two all the same.
    static let strangersPauseFactor: UInt64 = 60
    /// Longest such pause, since a disk may hang.
    static let bulkPauseMaximumMilliseconds: UInt64 = 1_000
    /// Batches of live chunks that are verified before one of the others.
    static let liveTurnsCount = 8
    /// Change numbers of one peer that wait for what was announced before them; later ones share the last place.
    static let milestonesCount = 1_024
    /// First retry of a failed transaction; the delay doubles each time.
    static let takeRetryMilliseconds = 1_000
    /// Longest delay before a retry: full disks are freed by people.
    static let takeRetryMaximumMilliseconds = 60_000
    /// Unexplained failures in a row (`StoreFailure`), a quarter of a minute, after which the rest goes on without the
    /// log that fails. A guess.
    static let unexplainedFailuresCount = 5
    /// Peers whose cursor is kept, listed and connected ones first; some 150 bytes each, and a row.
    ///
    /// A guess: a forgotten peer costs a reconciliation.
    static let peerCursorsCount = 4_096
    /// Least time between two transactions that save cursors alone; a transaction with entries saves them at once.
    static let cursorSaveMilliseconds: UInt64 = 5_000

    // MARK: The own log

    /// Time for which an unproven claim about the own log holds own entries back: as long as the peer may take to
    /// answer (`protocol/own-log.md` §3).
    static let ownLogClaimMilliseconds = progressDeadlineMilliseconds
    /// Nodes whose claims hold own entries back, each once in a start of the process: strangers delay them by less than
    /// three minutes. A guess.
    static let ownLogClaimants = 8

    // MARK: Forks

    /// Bytes of settlements and fork evidence that wait to be checked, shared by all peers (`Shares`): 70,000 of the
    /// usual size.
    ///
    /// As many again may wait, found true, for their identity's quota.
    static let waitingVerdictBytes = 33_554_432
    /// Part of them that one session may have in any case: a thousand of the usual size. So all sessions together may
    /// exceed `waitingVerdictBytes` by as much again.
    static let waitingVerdictBytesPerSession = waitingVerdictBytes / sessionsCount
    /// Settlements and evidence checked in one batch: up to a thousand signatures, some 50 ms.
    static let verdictsPerBatch = 256
    /// Bytes that a settlement, a piece of evidence or a finding counts for in a transaction.
    ///
    /// About as much as the largest evidence takes in memory, so that while a disk is full a thousand wait in the
    /// transaction, and the rest in bounded queues.
    static let verdictBatchBytes = 4_096
    /// Bytes of settlements and evidence in one message.
    static let verdictMessageBytes = 524_288
    /// Cost of a settlement or piece of evidence in its identity's quota for that kind (`quotaBurstBytes`; the quota
    /// for chunks is another).
    ///
    /// That allows 1,024 at once; a staircase of evidence, of which every step is news, comes to one a second.
    static let verdictQuotaBytes = 65_536
    /// Logs for which a peer's last word on settlements and forks is kept; some 200 bytes each.
    static let heardMarksCount = 65_536
    /// Logs that wait to be compared with one peer; some 300 bytes each. What does not fit a later comparison finds.
    static let postponedDisputesCount = 8_192
    /// Logs for which a peer's history differs from entries that wait for the store; some 60 bytes each. Of more logs
    /// its offer is dropped until it offers anew.
    static let undecidedLogsCount = 8_192
    /// Comparisons of one log with one peer until something new is known of the log. A guess.
    static let disputesPerLogCount = 8

    // MARK: Requests

    /// Logs with a known writer that are asked of one peer at once, and as many again whose writer is unknown: a flood
    /// of logs that may be anybody's does not delay known writers. Both fit `wantsUnanswered`.
    static let wantsInFlightPerPeer = 1_024
    /// Logs of one known identity among them: an eighth, so that one identity leaves room for the rest.
    static let wantsInFlightPerIdentity = 128
    /// Newest entries of a log that are asked for first where more are missing.
    ///
    /// The newest page many times over, and one or two messages of posts of the usual length, so that the first of many
    /// writers is readable after one round. A guess.
    package static let windowEntries: UInt64 = 1_024
    /// Logs whose gap one peer is asked to fill at once: each answer is a stream of its own, and they share the credit.
    static let gapsInFlightPerPeer = 8
    /// Logs whose gaps are asked for at a time, over all peers; the others wait in the store until the next start.
    static let gapsCount = 262_144
    /// First delay until a gap that nobody filled is asked for again; it doubles to a day, as for bodies.
    static let gapRetryMilliseconds = 60_000
    /// Rounds in vain, each over all ready peers, after which a gap is not expected to be filled: 15 minutes at least.
    /// A guess.
    static let gapForlornRounds = 5
    /// Logs of which peers offer more than is held, over all peers; about 150 bytes each.
    ///
    /// A session may bring half of what the others leave (`Shares`). What does not fit a later comparison finds.
    static let wantedLogsCount = 262_144
    /// Part of them that one session may bring in any case: all sessions together may exceed `wantedLogsCount` by twice
    /// as many again. A guess.
    static let wantedLogsPerSessionCount = 8_192
    /// Patient wants: logs of which nobody could supply what was offered, over all peers; asked for again and again.
    static let patientWantsCount = 16_384
    /// Patient wants that came from the offers of one peer.
    static let patientWantsPerPeerCount = 1_024
    /// Attempts after which a patient want is given up, most of a day; then a comparison has to find it anew.
    static let patientWantAttempts = 16
    /// Rounds over all peers that a patient want makes in any case, before it is given up.
    static let patientWantRounds = 3
    /// Time for which a log is asked for without a window after what lay behind its gap was dropped. A guess.
    static let wholeLogMilliseconds: UInt64 = 1_020_000
    /// Time for which a log whose window was dropped in favour of one peer's history is asked of that peer alone. A
    /// guess.
    static let successorMilliseconds: UInt64 = 30_000
    /// Logs that the store does not carry, as far as they are remembered: 50 bytes each.
    static let forgottenLogsCount = 65_536
    /// Logs without a complete head whose writer is remembered: 50 bytes each.
    static let writersCount = 65_536
    /// First time for which offers of a log that is not carried are ignored: 10 minutes, doubling to a day. A guess.
    static let forgottenMilliseconds = 600_000
    /// Deadline of a peer that owes an answer and sends no part of one (`protocol/sync.md §5`, Waiting); then it is
    /// dropped.
    static let progressDeadlineMilliseconds: UInt64 = 20_000
    /// The same while bytes still come: 256 KiB at 2 KB/s.
    static let slowProgressMilliseconds: UInt64 = 120_000
    /// Rate at which a peer that still sends earns more time for one answer that others could give too: 1 s beyond the
    /// first 20 s for each of this many bytes, up to `slowProgressMilliseconds` in all. The same 2 KB/s.
    static let slowBytesPerSecond: UInt64 = 2_048
    /// The same up to `steadyProgressMilliseconds` in all: eight peers that share a line of 64 KiB/s.
    ///
    /// A peer that wants to keep 2,048 logs from this node pays that much for it, and for half an hour at most, with
    /// each connection.
    static let steadyBytesPerSecond: UInt64 = 8_192
    /// Longest time for which one answer is awaited of a peer that sends steadily, before others are asked.
    static let steadyProgressMilliseconds: UInt64 = 1_800_000
    /// Interval between two searches for overdue answers.
    static let overdueLookMilliseconds: UInt64 = 10_000
    /// Logs that are asked for anew in each of them, of those that somebody was asked for in vain: a guess, so that
    /// going through them takes a millisecond or two.
    static let lacksPassedAtOnce = 1_024
    /// First delay until a patient want is asked for again; it doubles to a day.
    static let wantRetryMilliseconds = 1_000
    /// First delay until a body that nobody had is asked for again; it doubles to a day.
    static let bodyRetryMilliseconds = 60_000
    /// Longest of the delays that double to a day.
    static let retryMaximumMilliseconds = 86_400_000
    /// Nodes remembered to have been asked for one body or gap: twice as many as may be connected at once.
    static let askedNodesCount = 2 * sessionsCount
    /// Bodies wanted, over all logs; more wait in the store until the next start.
    static let wantedBodiesCount = 131_072
    /// Bodies wanted of one identity's logs, among them.
    static let wantedBodiesPerIdentityCount = 8_192
    /// Bodies asked of one peer at once: eight of the largest messages at worst.
    static let bodiesInFlightPerPeer = 128

    // MARK: Quotas: they delay, and never refuse

    /// Bytes that an identity may bring at once. A guess: more than any person's whole history, so that a first
    /// synchronisation is not slowed, and a flood is.
    static let quotaBurstBytes: Int64 = 67_108_864
    /// Bytes that an identity may bring each second once its burst is spent. A guess.
    static let quotaBytesPerSecond: Int64 = 65_536
    /// Quota charged for each entry that has to be counted anew, because its identity took back something that counted:
    /// a million of them, some 30 s of work, are paid for in 17 minutes.
    static let recountQuotaBytes: UInt64 = 64

    // MARK: Deadlines

    /// From the connection to the peer's Hello: four round trips of the slowest link, many times over.
    static let greetingDeadlineMilliseconds: UInt64 = 10_000
    /// Between two KeepAlives.
    static let keepAliveMilliseconds: UInt64 = 30_000
    /// Time without a byte after which a connection is dropped as half open: three KeepAlives missed.
    package static let idleTimeoutMilliseconds: UInt64 = 90_000
    /// From the last activity on a link to the KeepAlive with `quiet`, so that a burst brings one KeepAlive. A guess.
    static let quietDelayMilliseconds: UInt64 = 200
    /// How long a closing connection may take to send its last bytes.
    package static let closeLingerSeconds = 1
    /// First delay from a comparison that brought nothing to the next; it doubles to a day.
    static let comparisonRetryMilliseconds = 1_000

    /// Silence after which the side that is asked to reconcile answers, although it is still fetching what the stage
    /// before found.
    static let reconciliationPatienceMilliseconds: UInt64 = 10_000
    /// Time after which it answers in any case, before the asker's own deadline (`slowProgressMilliseconds`).
    static let reconciliationDelayMilliseconds: UInt64 = 90_000
    /// Time within which a stage's next message has to come, or its snapshot is not kept.
    static let reconciliationIdleMilliseconds: UInt64 = 120_000
    /// Longest life of a stage's snapshot, 128 rounds of some 4 s: items that change meanwhile are in memory twice.
    static let reconciliationStageMilliseconds: UInt64 = 600_000
    /// Rate at which a peer pays for the bytes of its reconciliation's questions and answers before a new stage begins:
    /// half a megabyte a second.
    static let reconciliationBytesPerMillisecond: UInt64 = 524
    /// Debt up to which a stage begins at once: 8 MB, ten thousand differences all over a million logs. Above it the
    /// stage waits.
    static let reconciliationBurstMilliseconds: UInt64 = 16_000
    /// Longest such wait, below the peer's own deadline (`progressDeadlineMilliseconds`).
    static let reconciliationWaitMilliseconds: UInt64 = 15_000
    /// Interval at which fingerprints are compared although traffic never ceases.
    static let comparisonMaximumMilliseconds: UInt64 = 3_600_000
    /// Least time between two changes of the own scope: each ends every connection. A guess.
    static let scopeChangeMilliseconds: UInt64 = 10_000

    // MARK: Peers

    /// Connections at once, in both directions: each costs its credit window in memory.
    package static let sessionsCount = 64
    /// Connections among them that others dialled: a flood of these cannot keep this node from calling peers that it
    /// trusts.
    static let incomingSessionsCount = 48
    /// Incoming connections among them whose node id is not known yet.
    static let strangersCount = 16
    /// Such connections from one host.
    static let strangersPerHostCount = 4
    /// Such connections from one site, that is a /48 of IPv6: half of them, since a line at home has many /64s.
    static let strangersPerSiteCount = strangersCount / 2
    /// Time for which a stranger's place is safe from eviction: the handshake takes two round trips. A guess.
    static let strangerMilliseconds: UInt64 = 1_000
    /// Guests: incoming connections beyond `sessionsCount` that are only told addresses of other nodes, and closed. As
    /// many newcomers a second are served, since the dialogue takes one. A guess.
    package static let guestsCount = 8
    /// Guests from one host. A guess.
    static let guestsPerHostCount = 2
    /// From a guest's Hello to the end, if it asks for nothing: its question is on its way behind its Hello. A guess.
    static let guestMilliseconds: UInt64 = 5_000
    /// From the answer to a guest to the end, two round trips of a slow link: TCP resets a connection that is closed
    /// while bytes lie there unread, and the answer may be lost with it.
    static let guestLingerMilliseconds: UInt64 = 1_000
    /// Connections up to which learned addresses are dialled; `incomingNeighboursCount` says which of them count.
    static let wantedSessionsCount = 8
    /// Links dialled by others that count among `wantedSessionsCount`, at most: whoever holds many leaves this node half of
    /// its neighbours to choose itself. Connections without a Hello do not count, since saying nothing is free.
    static let incomingNeighboursCount = 4
    /// Dials under way at once.
    static let dialsCount = 8
    /// Learned addresses.
    static let learnedPeersCount = 256
    /// Addresses learned from one peer, or from all peers that dialled from one site, so that none can fill the list.
    static let learnedPeersPerPeerCount = 32
    /// Addresses of one host, counted apart for nodes that dialled and said so themselves, nodes that others told of,
    /// and nodes found on the local network: a household behind one address. A guess.
    static let learnedPeersPerHostCount = 4
    /// Learned addresses at one site (`HostNetwork.site`), whoever told of them: as many as from one peer, since a home line
    /// may have 256 networks, with as many hosts and keys in each as it likes.
    static let learnedPeersPerSiteCount = learnedPeersPerPeerCount
    /// Addresses found on the local network and not reached yet: a lecture hall. A guess.
    static let foundPeersCount = 64
    /// New addresses taken from the local network within `foundPeersWindowMilliseconds`, whoever announces them. A
    /// guess.
    static let foundPeersAtOnceCount = 16
    /// Window over which `foundPeersAtOnceCount` counts.
    static let foundPeersWindowMilliseconds: UInt64 = 10_000
    /// Delay until a learned address at which this node itself answers is dialled again: addresses change hands. A
    /// guess.
    static let ownAddressMilliseconds: UInt64 = 3_600_000
    /// Failed dials in a row that a learned address survives; the next one removes it.
    static let learnedPeerAttempts = 8
    /// Least time between two PeersWanted of one link that are answered.
    static let peersWantedMilliseconds: UInt64 = 60_000
    /// Time between two PeersWanted of this node, besides those on new links, and between two on one link: it keeps what the
    /// node knows of others fresh, and costs some 2 KB. A guess.
    static let peersRenewalMilliseconds: UInt64 = 1_800_000
    /// Time for which a peer that was connected is worth telling others about: a day.
    static let peerFreshMilliseconds: UInt64 = 86_400_000
    /// First backoff after a connection that ended or failed; it doubles to `dialRetryMaximumMilliseconds`, with
    /// jitter.
    static let dialRetryMilliseconds = 1_000
    /// Longest backoff of a dial: 5 minutes.
    static let dialRetryMaximumMilliseconds = 300_000
    /// Life of a connection that proves the address good: the backoff begins anew.
    static let steadySessionMilliseconds: UInt64 = 10_000
    /// First ban of a peer that broke the protocol: 10 minutes, doubling to a day.
    static let penaltyMilliseconds = 600_000
    /// Longest ban.
    static let penaltyMaximumMilliseconds = 86_400_000
    /// First backoff for a node that speaks no common version, or no scopes, until a person changes something: 10
    /// minutes, doubling to a day.
    static let refusalMilliseconds = 600_000
    /// Longest such backoff.
    static let refusalMaximumMilliseconds = 86_400_000
    /// Connections replaced within `rivalryMilliseconds`, while this node had no newer one, from which it concludes
    /// that another node has its key.
    static let rivalryCount = 3
    /// Window over which `rivalryCount` counts.
    static let rivalryMilliseconds: UInt64 = 60_000
    /// Bans remembered; the soonest to end makes room.
    static let penaltiesCount = 4_096
}
