package import Entries

extension TakeReport.Recount {
    /// Bytes that it spends of a quota (`protocol/node.md` §3, Quotas).
    package var quotaBytes: UInt64 { entries * Limits.recountQuotaBytes + choiceBytes }
}
