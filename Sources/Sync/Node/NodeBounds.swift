/// Bounds that grow with the size of the network; simulations set smaller ones, so that liars can reach them.
package struct NodeBounds: Hashable, Sendable {
    package var quotaBurstBytes = Limits.quotaBurstBytes
    package var quotaBytesPerSecond = Limits.quotaBytesPerSecond
    package var wantedLogsCount = Limits.wantedLogsCount
    package var wantedLogsPerSessionCount = Limits.wantedLogsPerSessionCount
    package var patientWantsCount = Limits.patientWantsCount
    package var patientWantsPerPeerCount = Limits.patientWantsPerPeerCount

    package init() {}
}
