internal import NIOCore
internal import Sync

extension NodeOptions {
    /// Files without which a node does not start: for NIO an event loop that cannot be made is the program's end.
    var filesAtLeast: Int {
        // The loops of discovery: those of the program, one for each core.
        let loops = discovery == .on ? System.coreCount : 0
        return TransportLimits.openFilesAtLeast + loops * TransportLimits.loopFiles
    }

    /// Files of a node that has as many connections as it takes; with fewer callers wait, and are let in late.
    var filesAtMost: Int {
        let callers = listen == nil ? 0 : TransportLimits.incomingConnections
        let commands = control == .on ? TransportLimits.controlConnections : 0
        let names = TransportLimits.listedNamesAtOnce + TransportLimits.learnedNamesAtOnce
        return filesAtLeast + Limits.sessionsCount + callers + commands + names
    }
}
