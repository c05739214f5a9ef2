import Entries
import Foundation
import Logging
import Storage
import Transport

/// Entries that are given to a node in this process in batches, and that it pushes to a scurry process, which verifies
/// and stores them.
struct LivePush {
    let entries: Int
    /// Seconds from the first batch until the source had stored all of them.
    private(set) var broughtSeconds = 0.0
    /// Seconds from the first batch until the receiver held everything.
    private(set) var storedSeconds = 0.0
    private(set) var receiverCPUSeconds = 0.0
    private(set) var receiverPeakMegabytes = 0.0
    /// Bytes on the loopback device.
    private(set) var wireBytes = 0.0

    /// Gives the batches of each lane to the source, each once the one before is stored there, `perSecond` over all
    /// lanes in turn. No writer is in two lanes. The batches `before` are not measured.
    init(
        _ lanes: [[[VerifiedChunk]]],
        after before: [[VerifiedChunk]] = [],
        perSecond: Int,
        _ common: CommonOptions
    ) async throws {
        entries = lanes.joined().joined().reduce(0) { $0 + $1.entries.count }
        let receiver = try RunningNode(TemporaryHome(of: .hub), program: common.scurry)
        let source = try TemporaryHome(of: .hub)
        try source.writePeers([receiver.address])
        let node = try await Node.open(
            Home(opening: source.layout),
            options: NodeOptions(listen: nil),
            log: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        let running = Task { await node.run() }
        try receiver.waitUntilInStep()
        for chunks in before { try await node.bring(chunks) }
        try receiver.waitUntilEqual(to: source, seconds: 60)
        let meter = try Meter([receiver])
        let begun = Stopwatch.now()
        try await withThrowingTaskGroup { group in
            for (lane, portions) in lanes.enumerated() {
                group.addTask {
                    for (index, chunks) in portions.enumerated() {
                        let due = begun + Double(index * lanes.count + lane) / Double(perSecond)
                        let early = due - Stopwatch.now()
                        if early > 0 { try await Task.sleep(for: .seconds(early)) }
                        try await node.bring(chunks)
                    }
                }
            }
            try await group.waitForAll()
        }
        broughtSeconds = Stopwatch.now() - begun
        var spent: Meter.Spent?
        try receiver.waitUntilEqual(to: source, seconds: 300) { spent = try meter.read() }
        (storedSeconds, receiverCPUSeconds) = (spent?.wall ?? .nan, spent?.cpu ?? .nan)
        wireBytes = try meter.read().wire
        receiverPeakMegabytes = try receiver.usage().peakMegabytes
        node.stop()
        await running.value
        receiver.stop()
    }
}
