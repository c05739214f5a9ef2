#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import Entries
import Storage
import Transport

/// Checks the files of the home and the machine that they are on.
struct HomeExamination {
    let layout: HomeLayout
    let now: UInt64
    /// Who reads the findings: a person, in local time, or a script, in UTC.
    let form: ReadingOptions.Form

    /// Free space below which the next catch-up may not fit: a problem; guess.
    private static let freeBytesAtLeast: UInt64 = 100_000_000
    /// Free space below which there is a warning; guess.
    private static let freeBytesComfortable: UInt64 = 1_000_000_000
    /// The earliest plausible time, 2026-01-01, before this program was written; Unix milliseconds.
    private static let earliest: UInt64 = 1_767_225_600_000

    /// Checks everything but the database.
    func files(_ mounts: MountTable = .current()) -> [Finding] {
        let faults = layout.exposures + layout.obstacles.map { HomeError.system($0) }
        var findings = faults.map { Finding.problem("home", Problems.failure($0)) }
        if findings.isEmpty { findings.append(.ok("home", "\(layout.data), closed to others")) }
        return findings + [place(mounts), settings(), locks(), space(), witness()].compactMap(\.self)
    }

    private func place(_ mounts: MountTable) -> Finding? {
        guard let type = layout.remoteFileSystem(mounts) else { return nil }
        return .warning("place", RemoteHome.warning(type), help: RemoteHome.help)
    }

    /// Checks the record of the home that is kept outside of it.
    private func witness() -> Finding? {
        guard let fault = layout.witnessFault else { return nil }
        // Where the home's disk is full, that is said already, and the record has its place again with the room.
        if [ENOSPC, EDQUOT].contains(fault.code), space()?.state == .problem { return nil }
        let place: SafeText = "\(SafeText(line: fault.path)) (\(Descriptor.reason(fault.code)))"
        let text: SafeText =
            "nothing can be kept in \(place): an older copy of the database, put in its place, would go unnoticed"
        return .warning("state", text, help: "XDG_STATE_HOME=DIR, a directory of yours, in front of every command")
    }

    private func settings() -> Finding? {
        do throws(Failure) {
            try Settings(layout).check()
            return .ok("settings", "\(layout.config)")
        } catch {
            return .problem("settings", error)
        }
    }

    private func locks() -> Finding? {
        guard let fault = layout.lockFault else { return nil }
        return .problem("locks", Problems.failure(HomeError.system(fault)))
    }

    private func space() -> Finding? {
        let path = ShellWord.quoted(layout.data)
        if layout.isOnReadOnlyDisk {
            let text: SafeText = "the disk is mounted read-only: nothing can be written"
            return .problem("disk", text, help: "findmnt -T \(path); dmesg | tail")
        }
        if let fault = layout.writingFault { return .problem("disk", Problems.failure(HomeError.system(fault))) }
        guard let free = layout.freeBytes else { return nil }
        let text: SafeText = "\(Amount.bytes(free)) free"
        let help: SafeText = "df -h \(path)"
        if free < Self.freeBytesAtLeast { return .problem("disk", text, help: help) }
        return free < Self.freeBytesComfortable ? .warning("disk", text, help: help) : .ok("disk", text)
    }

    /// Checks that the database opens and is whole; `node` is the answer of the home's node.
    func database(of home: Home, _ node: NodeGlance.Answer) -> [Finding] {
        if case .notRunning = node, isOfEarlierVersion(home) { return [Self.earlierVersion, clock(nil, nil)] }
        do throws(Failure) {
            let store = try naming { () throws(StorageError) in
                try StoreReader(path: layout.store, network: home.network)
            }
            let faults = try naming { () throws(StorageError) in try store.faults() }
            if let first = faults.first {
                return [.problem("database", Problems.failure(StorageError.damaged(first))), clock(nil, nil)]
            }
            try naming { () throws(StorageError) in try store.examineEntries() }
            let status = try naming { () throws(StorageError) in try store.status() }
            let damage = try naming { () throws(StorageError) in try DamageTerms.examine(store) }
            let version = StoreReader.version
            let amount: SafeText = "\(Amount.of(status.entries, "entry", "entries"))\(damage.reach)"
            let whole = Finding.ok(
                "database",
                "version \(version), structure whole, \(amount), \(Amount.bytes(UInt64(status.databaseBytes)))"
            )
            let others = [
                writing(), marks(), budget(status), try signing(home, store, node), clock(store, status),
            ].compactMap(\.self)
            return (damage.found.isEmpty ? [whole] : damage.found) + others
        } catch {
            return [.problem("database", error), clock(nil, nil)]
        }
    }

    /// The finding of a database that no node keeps as it is: whoever reads or writes next takes it over.
    private static let earlierVersion = Finding.warning(
        "database",
        "of an earlier version: the next command copies it, and brings it up to date",
        help: "scurry feed, or scurry run"
    )

    private func isOfEarlierVersion(_ home: Home) -> Bool {
        do throws(StorageError) {
            _ = try StoreReader(path: layout.store, network: home.network)
            return false
        } catch {
            return error == .olderVersion
        }
    }

    /// As `Problems.naming`, but its hint for a file that cannot be opened is not `scurry doctor`: it names the files
    /// to look at.
    private func naming<Value>(_ body: () throws(StorageError) -> Value) throws(Failure) -> Value {
        do throws(StorageError) {
            return try body()
        } catch {
            let failure = Problems.failure(layout.reason(error))
            switch error {
            case .readOnly, .unopenable:
                throw Failure(failure.code, failure.message, hint: "ls -l \(ShellWord.quoted(layout.store))*")
            default: throw failure
            }
        }
    }

    private func budget(_ status: StoreStatus) -> Finding? {
        guard let settings = try? Settings(layout),
            let budget = BudgetSetting.parse(settings.value(.diskBudget))?.budget
        else { return nil }
        return BudgetTerms.finding(status, budget, CarrySetting.parse(settings.value(.carry)) ?? .everything)
    }

    /// Whether the home signs, as it is now and not as it was noted at the last write.
    private func signing(
        _ home: Home,
        _ store: StoreReader,
        _ node: NodeGlance.Answer
    ) throws(Failure) -> Finding? {
        let stop = try Problems.naming { () throws(StorageError) in try home.signingStop(in: store) }
        var report: StatusReport?
        if case .running(let running) = node { report = running }
        guard let stop else {
            if report?.isSigningStopped == true {
                return .problem("signing", SigningStop.ofNode, help: "end the node that runs, then scurry run")
            }
            return try lostKey(home, store) ?? lockedKey(home)
        }
        return .problem("signing", stop.text(report), help: home.wayOut(of: stop, in: store))
    }

    /// A home with an own log and no key for it; a key file that cannot be read is reported with the keys.
    private func lostKey(_ home: Home, _ store: StoreReader) throws(Failure) -> Finding? {
        guard try Problems.naming({ () throws(StorageError) in try store.ownIdentity() }) != nil,
            case .none? = (try? home.keys())?.person
        else { return nil }
        return .problem("keys", Scribe.keyless(home))
    }

    /// The state of the passphrase; nil if the key has none.
    private func lockedKey(_ home: Home) -> Finding? {
        (try? home.keys())?.lockState.map { .ok("keys", $0) }
    }

    /// Checks the reader's file of read marks and joined channels; nil: nothing is wrong.
    private func marks() -> Finding? {
        do throws(Failure) {
            _ = try Problems.naming(layout) { () throws(StorageError) in try ReaderFile(path: layout.reader).state() }
            return nil
        } catch {
            return .problem("marks", error)
        }
    }

    /// A database file that this user may read and not write, as a command of another user leaves it; nil: none.
    private func writing() -> Finding? {
        let files = [layout.store, layout.store + "-wal", layout.store + "-shm"]
        guard let closed = files.first(where: { access($0, F_OK) == 0 && access($0, W_OK) != 0 }) else { return nil }
        let path = SafeText(line: closed)
        return .problem("database", "\(path) cannot be written", help: "ls -l \(ShellWord.quoted(closed))")
    }

    private func clock(_ store: StoreReader?, _ status: StoreStatus?) -> Finding {
        let text = wallTime(now)
        let help: SafeText = "date; timedatectl set-ntp true"
        if now < Self.earliest { return .problem("clock", "\(text) is long past: it is wrong", help: help) }
        if let written = layout.lastWritten, WallCheck.isBehind(now, written) {
            return .problem(
                "clock",
                "\(text), but this home was written at \(wallTime(written)): it was set back",
                help: help
            )
        }
        if let last = lastPost(store, status), WallCheck.isBehind(now, last) {
            return .warning("clock", "\(text), but you posted at \(wallTime(last))", help: help)
        }
        return .ok("clock", text)
    }

    private func wallTime(_ milliseconds: UInt64) -> SafeText {
        switch form {
        case .json: SafeText(line: TimeText.rfc3339(milliseconds))
        // The day and the year may be what is wrong: seen from the far future, no time is without them.
        case .text: TimeText(now: .max, zone: .local).short(milliseconds)
        }
    }

    private func lastPost(_ store: StoreReader?, _ status: StoreStatus?) -> UInt64? {
        guard let store, let own = status?.ownIdentity else { return nil }
        var query = FeedQuery(now: .max, reader: own)
        query.authors = .one(own)
        query.limit = 1
        return try? store.feed(query).posts.first?.time
    }
}
