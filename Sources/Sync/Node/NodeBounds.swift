/// Bounds that grow with the network a node is made for: smaller ones for simulations, in which liars are to reach them.
package struct NodeBounds: Hashable, Sendable {
    package var quotaBurstBytes = Limits.quotaBurstBytes
    package var quotaBytesPerSecond = Limits.quotaBytesPerSecond
    package var wantedLogsCount = Limits.wantedLogsCount
    package var wantedLogsPerSessionCount = Limits.wantedLogsPerSessionCount
    package var patientWantsCount = Limits.patientWantsCount
    package var patientWantsPerPeerCount = Limits.patientWantsPerPeerCount

    package init() {}
}
