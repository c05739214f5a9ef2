/// Every bound of the protocol, with its reason.
package enum Limits {
    // MARK: Channel

    /// Bytes of one protocol message, type and body together (`protocol/channel.md`).
    ///
    /// It is what a peer can make this node hold for one message; fifteen payloads of the largest size fit in.
    package static let maximumMessageBytes = 1_048_576

    /// Bytes of one Noise message, tag included (Noise §3).
    ///
    /// Its length goes ahead in two bytes, so no longer one can be written.
    package static let maximumNoiseMessageBytes = 65_535

    /// Transport messages in one direction after which both sides take that direction's next key (Noise §11.3).
    ///
    /// So at most 4 GiB go under one key, and a key that leaks opens nothing from before its rekey. A guess.
    package static let rekeyIntervalMessages: UInt64 = 65_536

    // MARK: Lists in messages (`protocol/wire.proto`)

    /// Nobody makes use of so many yet; a bound all the same.
    static let featuresCount = 64
    /// A line of a log; longer ones are cut.
    package static let maximumAgentBytes = 64
    /// About 80 KB a page: small beside a chunk, and a thousand pages for two million logs.
    static let changesPageLogs = 2_000
    /// What one message asks for, and what may be unanswered: enough to keep a fast link busy with tiny logs.
    static let wantsPerMessage = 1_024
    static let wantsUnanswered = 8_192
    /// A chunk of a new log takes about 350 bytes besides its entries, so that this many fill a message.
    static let chunksPerMessage = 4_096
    /// A compact range within 2³² leaves has no more nodes: 32 on each slope.
    static let rangeNodesCount = 64
    /// Prefixes and nodes of trees together: each is little, and found with a few questions to the store.
    static let prefixesUnanswered = 64
    /// Histories that are compared with one peer at once: the own log's is one more.
    static let disputesCount = prefixesUnanswered - 1
    /// Logs of which one peer is asked at once to show what may take the place of what lies behind a gap. A guess.
    static let substitutesCount = 64
    /// Nodes and logs of which it is remembered when that was; some 100 bytes each. A guess.
    static let substituteTriesCount = 4_096
    /// Differences that were found and wait for the store; a kilobyte or two each.
    static let findingsCount = 1_024
    /// Nodes below one: eight levels, which is how a store keeps them.
    static let descendantsCount = 256
    /// Bytes of fork evidence: two heads and two entries, and with ranges of 32, 64 and 64 nodes at most.
    static let evidenceBytes = 248...5_368
    static let bodiesPerMessage = 1_024
    static let bodiesUnanswered = 8_192
    static let comparePageLogs = 2_000
    /// 700 KB of the largest message.
    static let comparisonLogs = 16_384
    /// Bytes at which a Negentropy message is ended: 4,096 ids, some 4 ms of work for who answers (a guess).
    package static let reconciliationFrameBytes = 131_072
    /// What a message takes beyond: a list was ended below the limit, and one range follows it.
    static let reconciliationMessageBytes = reconciliationFrameBytes + 1_024
    /// Ids in one list: as many as fit a message.
    static let reconciliationIDs = reconciliationMessageBytes / 32
    /// Messages of one stage each way: 16 MiB at most, and half a million ids. What is found by then is taken over, and
    /// a later run finds the rest.
    static let reconciliationRounds: UInt32 = 128
    /// Differences of one stage after which it is given up: 5 MB of what this side has, told in one go.
    static let reconciliationFindings = 65_536
    /// With all that a later version may say of a log, 1 MiB.
    static let itemsPerMessage = 1_024
    /// Items of the first stage: what changed while a peer was away is among the newest (D19).
    static let reconciliationStageItems = 1_024
    static let reconciliationStageFactor = 8
    /// Frontiers that differ by more than this factor in their size are listed: most of the larger is missing, and to
    /// find that out costs four times what naming it does.
    static let reconciliationSizeFactor: UInt64 = 4
    static let peersPerMessage = 32
    /// A name in the domain name system has no more (RFC 1035 §2.3.4).
    static let maximumHostBytes = 253

    // MARK: Flow

    /// Bytes of chunks and bodies that a peer may send ahead of what is stored: eight messages of the usual size, so
    /// that the link, the verifier and the store all have work. It bounds what one peer can make this node hold.
    package static let creditWindowBytes: UInt64 = 4_194_304
    /// The least that a Hello may allow: two of the largest messages (`protocol/sync.md §7`).
    static let minimumCreditBytes: UInt64 = 2 * (UInt64(maximumMessageBytes) + 4)
    /// Credit is given back in eighths of the window: one small message for each usual one.
    static let creditReturnBytes: UInt64 = creditWindowBytes / 8
    /// More credit than any sender can use counts as this much.
    static let maximumCreditBytes: UInt64 = 1 << 40
    /// Usual size of a message of chunks: large enough that its cost by the message vanishes, small enough that the
    /// first is checked while the second is on its way.
    static let chunksMessageBytes = 262_144
    /// A larger chunk is named and asked for, not pushed: half of the largest message, two usual ones.
    static let pushedChunkBytes = 524_288
    /// What is pushed to one peer at once: what is fresh beyond is named and asked for.
    static let pushedBytes = 524_288
    /// Who comes back with a cursor is brought so much at once instead of its names, of so many changes: some 200 posts, and little
    /// in vain for whoever has them from another peer by then. A guess.
    static let resumedBytes = 65_536
    static let resumedChanges = 256
    /// Of these, what the store is asked for at once: as many as a verifier's first batch has (`openingBatchWork`).
    static let resumedLotLogs = 28
    /// Where less is left of those bytes, the rest is named: the store gives at least one entry.
    static let resumedLeastBytes = 4_096
    /// What is read from the store at once for one peer: two usual messages.
    static let readBytes = 524_288
    /// Wants and places handed to the store in one question.
    static let readWantsCount = 256
    /// Reading begins when at least this may be sent: one entry of the largest size and its proof, with room.
    static let readableCreditBytes: UInt64 = 131_072
    /// Questions about what peers want that the store has at once: it answers one while another's answer is packed. What
    /// is live waits for so many answers at most, and so many are in memory beside the queues.
    static let readingsCount = 2
    /// No new page or chunk is made while this much waits for the network: what is made then is one more answer of the
    /// store (`readBytes`), page or message of a reconciliation, so that some 1.5 MiB wait for a peer that reads nothing.
    /// It has to last as long as the store takes to answer: a fiftieth of a second at what a node sends at most.
    package static let queueSoftBytes = 1_048_576
    /// The same while `queueCrowdBytes` or more wait for all peers together; an answer of the store is then one message.
    /// Whoever reads has its turn all the same, and the system's own buffer of the socket beside this one.
    package static let queueCrowdedBytes = 131_072
    package static let queueCrowdBytes = 16_777_216
    /// While more waits for all together, the connection for which most waits is closed: peers that only ask and read
    /// nothing never come near it, however many they are.
    package static let queueTotalBytes = 67_108_864
    /// A peer that reads nothing while it asks on is closed at this size of its queue: what is answered at once, without
    /// waiting for room, are OwnLog, Prefix, Nodes, Items, Peers and KeepAlive.
    package static let queueHardBytes = 16_777_216
    /// A peer that takes nothing for so long of what waits for it is dropped: 256 KiB, which are written at once, at 2 KB/s,
    /// as in the other direction (`slowProgressMilliseconds`).
    package static let readingDeadlineMilliseconds: UInt64 = 120_000

    // MARK: Verification and store

    /// A batch on its way to the verifier, and one into the store: about a tenth of a second of work, a guess.
    static let batchEntries: UInt64 = 10_000
    static let batchBytes = 4_194_304
    /// What a transaction may take as long as the person here or another peer brings something live, since that waits for
    /// up to three of them, at each node on its way; on a disk that flushes in 1 ms still half of it is work. A guess;
    static let sharedBatchMilliseconds: UInt64 = 1
    /// and while one peer alone brings all that comes: as much as the bounds above on a usual machine.
    static let loneBatchMilliseconds: UInt64 = 100
    /// What the first batch does after a rest, each next one twice as much: a post by each of 28 writers is verified in half a
    /// millisecond on two cores, and as many again while the store takes these.
    static let openingBatchWork: UInt64 = 256
    /// Logs and chunks of a peer's messages that are looked at before others have their turn: a millisecond or two, a guess.
    static let turnItems = 128
    /// Live is who brought something within this time. A guess.
    static let livelyMilliseconds: UInt64 = 5_000
    /// What a transaction may do however slow the store is (`Pace`): a log's first 56 entries, or the first of 7 logs.
    static let leastBatchWork: UInt64 = 64
    /// What a chunk may make the store do and go before others' history: some posts, or one of the largest size.
    static let liveWork: UInt64 = 80
    /// What one session may bring so in a second, and at once: some 200 posts of different people, a campus of a hundred thousand
    /// at noon, and 400 after a pause. A guess;
    static let liveWorkPerSecond: UInt64 = 2_000
    static let liveBurstWork: UInt64 = 4_000
    /// While others are live, a transaction of history is followed by a pause so many times as long as its logs took,
    static let bulkPauseFactor: UInt64 = 3
    /// or so many times, for logs of which nothing is here yet and that a peer brought whom nobody here listed: a flood of new
    /// identities, or a member who comes back from elsewhere with a few hundred new people, who are here in a second or two all
    /// the same. With it 700 to 900 of a flood are stored in a second;
    static let strangersPauseFactor: UInt64 = 60
    /// and no longer than this: a disk may hang.
    static let bulkPauseMaximumMilliseconds: UInt64 = 1_000
    /// Batches of live chunks before one of the others.
    static let liveTurnsCount = 8
    /// Numbers of one peer that wait for what was announced before them; later ones wait together.
    static let milestonesCount = 1_024
    /// A failed transaction is tried again after 1 s, doubling to a minute: disks are freed by people.
    static let takeRetryMilliseconds = 1_000
    static let takeRetryMaximumMilliseconds = 60_000
    /// Failures in a row of which nobody knows whether they pass, a quarter of a minute, before the rest goes on without
    /// what fails: a guess.
    static let unexplainedFailuresCount = 5
    /// Peers of which is remembered how far this node stands with them; some 150 bytes each, and a row. Who is listed or connected
    /// is always one of them. A guess: whoever is forgotten costs a reconciliation.
    static let peerCursorsCount = 4_096
    /// A cursor alone is saved at most so often; it rides along with entries at once.
    static let cursorSaveMilliseconds: UInt64 = 5_000

    // MARK: The own log

    /// How long a peer that says it has more of the own log, or something else, holds own entries back without a proof:
    /// as long as it may take to answer.
    static let ownLogClaimMilliseconds = progressDeadlineMilliseconds
    /// Nodes whose claims do that, each once in a start of the process: strangers cost less than three minutes. A guess.
    static let ownLogClaimants = 8

    // MARK: Forks

    /// Settlements and fork evidence that wait to be checked, over all peers: 70,000 of the usual size; and as many bytes
    /// of what is true, and waits for its identity's quota.
    static let waitingVerdictBytes = 33_554_432
    /// Of these, for one session in any case: a thousand of the usual size. All of the sessions together have as much
    /// once more.
    static let waitingVerdictBytesPerSession = waitingVerdictBytes / sessionsCount
    /// So many are checked at once: up to a thousand signatures, some 50 ms.
    static let verdictsPerBatch = 256
    /// What each counts for in a transaction, settlement, evidence or finding: as much as the largest evidence takes in memory, so
    /// that while a disk is full a thousand wait there, and the rest where the waiting is bounded.
    static let verdictBatchBytes = 4_096
    /// Bytes of them in one message.
    static let verdictMessageBytes = 524_288
    /// What each costs of its identity's quota for such words (`quotaBurstBytes`, apart from that for chunks): 1,024 at once; a
    /// staircase of evidence, of which every step is news, comes to one a second.
    static let verdictQuotaBytes = 65_536
    /// Logs of which is remembered what a peer says of a settlement or fork; some 200 bytes each.
    static let heardMarksCount = 65_536
    /// Logs that wait to be compared with one peer; some 300 bytes each. What does not fit a later comparison finds.
    static let postponedDisputesCount = 8_192
    /// Logs of one peer that differ from what waits for the store; some 60 bytes each. The rest it may offer anew.
    static let undecidedLogsCount = 8_192
    /// Disputes of one log with one peer, until something else is known of the log. A guess.
    static let disputesPerLogCount = 8

    // MARK: Requests

    /// Logs asked of one peer at once; and as many again of which nothing is held, so that writers who are known do not
    /// wait for a flood of logs that may be anybody's. Both fit `wantsUnanswered`.
    static let wantsInFlightPerPeer = 1_024
    /// Of these, logs of one identity that is known: an eighth, so that one does not take up the rest's room.
    static let wantsInFlightPerIdentity = 128
    /// Entries that are asked for first where more are missing: the newest page many times over, and in posts of the usual
    /// length one or two messages, so that the first of many writers is readable after one round. A guess.
    package static let windowEntries: UInt64 = 1_024
    /// Logs of whose history one peer is asked at once: each answer is a stream of its own, and they share the credit.
    static let gapsInFlightPerPeer = 8
    /// Logs whose history is asked for at a time, over all peers; the others wait in the store until the next start.
    static let gapsCount = 262_144
    /// History that nobody supplies: asked for again after 60 s, doubling to a day, as bodies are.
    static let gapRetryMilliseconds = 60_000
    /// Rounds of everybody who is ready, in vain, after which a gap is not expected to be filled: 15 minutes at least; a guess.
    static let gapForlornRounds = 5
    /// Logs of which peers offer more than is held, over all of them; about 150 bytes each. A session may bring half of
    /// what the others leave. What does not fit is found by a comparison later.
    static let wantedLogsCount = 262_144
    /// Of these, for one session in any case: all of the sessions together have twice as many once more. A guess.
    static let wantedLogsPerSessionCount = 8_192
    /// Wants that nobody could supply, over all peers and of what one peer offered; they are asked for again and again.
    static let patientWantsCount = 16_384
    static let patientWantsPerPeerCount = 1_024
    /// So often, most of a day, and three times around the peers; then a comparison has to find it anew.
    static let patientWantAttempts = 16
    static let patientWantRounds = 3
    /// For so long a log of which something was let go of is asked for with nothing left out: a guess.
    static let wholeLogMilliseconds: UInt64 = 1_020_000
    /// For so long a log is asked of nobody but whom something of it was let go of for: a guess.
    static let successorMilliseconds: UInt64 = 30_000
    /// Logs that the store does not carry, as far as they are remembered: 50 bytes each.
    static let forgottenLogsCount = 65_536
    /// Logs without a complete head whose writer is remembered: 50 bytes each.
    static let writersCount = 65_536
    /// Until an offer of one is heard again: 10 minutes doubling to a day. A guess.
    static let forgottenMilliseconds = 600_000
    /// A peer that was asked and sends no chunk for so long is asked no more (`protocol/sync.md §5`).
    static let progressDeadlineMilliseconds: UInt64 = 20_000
    /// The same while bytes still come: 256 KiB at 2 KB/s.
    static let slowProgressMilliseconds: UInt64 = 120_000
    /// Bytes a second by which the answer to one thing is waited for beyond 20 s, up to `slowProgressMilliseconds`, while
    /// others offer it too: the same 2 KB/s;
    static let slowBytesPerSecond: UInt64 = 2_048
    /// and by which longer: eight peers that share a line of 64 KiB/s. Who wants to keep 2,048 logs from this node pays that
    /// for it, and for half an hour at most, with each connection.
    static let steadyBytesPerSecond: UInt64 = 8_192
    static let steadyProgressMilliseconds: UInt64 = 1_800_000
    /// How often is looked for answers that are overdue.
    static let overdueLookMilliseconds: UInt64 = 10_000
    /// Wants that nobody could supply: 1 s doubling to a day.
    static let wantRetryMilliseconds = 1_000
    static let bodyRetryMilliseconds = 60_000
    static let retryMaximumMilliseconds = 86_400_000
    /// Nodes of which it is remembered, of one body or gap, that they were asked for it: twice as many as there may be at once.
    static let askedNodesCount = 2 * sessionsCount
    /// Bodies wanted, over all logs; more wait in the store until the next start.
    static let wantedBodiesCount = 131_072
    /// Of these, so many of one identity.
    static let wantedBodiesPerIdentityCount = 8_192
    /// Bodies asked of one peer at once: eight of the largest messages at worst.
    static let bodiesInFlightPerPeer = 128

    // MARK: Quotas: they delay, and never refuse

    /// What an identity may bring at once, and from then on each second. A guess: more than any person's whole
    /// history, so that a first synchronisation is not slowed, and a flood is.
    static let quotaBurstBytes: Int64 = 67_108_864
    static let quotaBytesPerSecond: Int64 = 65_536
    /// What an answer that is under way may still bring when that is spent: a log somewhat longer than the burst comes in
    /// one go, and one without end does not.
    static let quotaOverdraftBytes = quotaBurstBytes
    /// What an entry costs that has to be counted anew, because its identity took back something that counted: a million
    /// of them, some 30 s of work, are paid for in 17 minutes.
    static let recountQuotaBytes: UInt64 = 64

    // MARK: Deadlines

    /// From the connection to the peer's Hello: four round trips of the slowest link, many times over.
    static let greetingDeadlineMilliseconds: UInt64 = 10_000
    /// Between two KeepAlives.
    static let keepAliveMilliseconds: UInt64 = 30_000
    /// Three KeepAlives missed: the connection is half open.
    package static let idleTimeoutMilliseconds: UInt64 = 90_000
    /// From the last thing done to the word that one is quiet: joins the words of a burst. A guess.
    static let quietDelayMilliseconds: UInt64 = 200
    /// How long a closing connection may take to send its last bytes.
    package static let closeLingerSeconds = 1
    /// A comparison that brought nothing: 1 s doubling to a day until the next.
    static let comparisonRetryMilliseconds = 1_000

    /// Who is asked to reconcile fetches first what the stage before brought, as long as some of it comes every 10 s; it
    /// answers before the asker loses patience in any case.
    static let reconciliationPatienceMilliseconds: UInt64 = 10_000
    static let reconciliationDelayMilliseconds: UInt64 = 90_000
    /// A snapshot is kept for a stage whose next message comes within this time,
    static let reconciliationIdleMilliseconds: UInt64 = 120_000
    /// and in all for 128 rounds of some 4 s: what changes meanwhile is in memory twice.
    static let reconciliationStageMilliseconds: UInt64 = 600_000
    /// Bytes of questions and answers that a stage may be begun for: half a megabyte a second,
    static let reconciliationBytesPerMillisecond: UInt64 = 524
    /// and 8 MB at once: ten thousand differences all over a million logs. Who has more waits,
    static let reconciliationBurstMilliseconds: UInt64 = 16_000
    /// but not so long that it loses patience (`progressDeadlineMilliseconds`).
    static let reconciliationWaitMilliseconds: UInt64 = 15_000
    /// Where traffic never ceases, the fingerprints are compared so often all the same.
    static let comparisonMaximumMilliseconds: UInt64 = 3_600_000
    /// Between two changes of the own scope: each ends every connection. A guess.
    static let scopeChangeMilliseconds: UInt64 = 10_000

    // MARK: Peers

    /// Connections at once, in both directions: each costs its credit window in memory.
    package static let sessionsCount = 64
    /// Of these, so many that others dialled: whoever floods this node cannot keep it from calling whom it trusts.
    static let incomingSessionsCount = 48
    /// Of these, so many that have not said who they are, and so many of them from one host.
    static let strangersCount = 16
    static let strangersPerHostCount = 4
    /// So long a stranger has its place for sure: the handshake takes two round trips. A guess.
    static let strangerMilliseconds: UInt64 = 1_000
    /// Beyond all of them, so many are let in to be told of other nodes and let go, and so many of them from one host: as many
    /// newcomers a second, whose dialogue takes one. A guess.
    package static let guestsCount = 8
    static let guestsPerHostCount = 2
    /// From a guest's Hello to the end, if it asks for nothing: its question is on its way behind its Hello. A guess.
    static let guestMilliseconds: UInt64 = 5_000
    /// From the answer to the end: a connection that is closed while bytes lie there that nobody has read is reset, and may take
    /// the answer with it. Two round trips of a slow link.
    static let guestLingerMilliseconds: UInt64 = 1_000
    /// Learned addresses are dialled while fewer connections than this count: all that this node dialled, and few others.
    static let wantedSessionsCount = 8
    /// Of the links that others dialled, so many count: whoever holds many keeps this node from choosing no more than
    /// half of its neighbours itself. Who has not said Hello counts not at all, since saying nothing is free.
    static let incomingNeighboursCount = 4
    /// Dials under way at once.
    static let dialsCount = 8
    static let learnedPeersCount = 256
    /// Learned from one peer, or from all that dialled from one site, so that none can fill the list.
    static let learnedPeersPerPeerCount = 32
    /// Learned from their own word at one host: the nodes of a household behind one address. A guess.
    static let learnedPeersPerHostCount = 4
    /// At one site (`HostNetwork.site`), whoever told of them: as many as from one peer, since a line at home may have
    /// 256 networks, and in each of them as many hosts and keys as it likes.
    static let learnedPeersPerSiteCount = learnedPeersPerPeerCount
    /// Found on the local network and not reached yet; of one host as many as above. A lecture hall; a guess.
    static let foundPeersCount = 64
    /// Of these so many may be new in so long, whoever says so. A guess.
    static let foundPeersAtOnceCount = 16
    static let foundPeersWindowMilliseconds: UInt64 = 10_000
    /// A learned address at which this node itself answers is dialled again after so long: addresses change hands. A guess.
    static let ownAddressMilliseconds: UInt64 = 3_600_000
    /// Failed dials in a row after which a learned address is forgotten.
    static let learnedPeerAttempts = 8
    static let peersWantedMilliseconds: UInt64 = 60_000
    /// Between two questions of a node for addresses, those on new links aside, and between two on one link: of what it
    /// knows nothing is older for long, and it costs some 2 KB. A guess.
    static let peersRenewalMilliseconds: UInt64 = 1_800_000
    /// A peer that was connected within the last day is worth telling others about.
    static let peerFreshMilliseconds: UInt64 = 86_400_000
    /// A connection that ended: 1 s doubling to 5 minutes, with full jitter.
    static let dialRetryMilliseconds = 1_000
    static let dialRetryMaximumMilliseconds = 300_000
    /// A connection that stood for so long proves the address good: its backoff begins anew.
    static let steadySessionMilliseconds: UInt64 = 10_000
    /// A peer that broke the protocol: 10 minutes doubling to a day.
    static let penaltyMilliseconds = 600_000
    static let penaltyMaximumMilliseconds = 86_400_000
    /// A node that speaks no common version, or no scopes, until a person changes something: 10 minutes doubling to a day.
    static let refusalMilliseconds = 600_000
    static let refusalMaximumMilliseconds = 86_400_000
    /// Connections that were replaced within this time while this node had no newer one: another node has its key.
    static let rivalryCount = 3
    static let rivalryMilliseconds: UInt64 = 60_000
    /// Penalties remembered; the soonest to end makes room.
    static let penaltiesCount = 4_096
}
