"""Settlements and fork evidence: telling them, and hearing them (sync.md §9, Words)."""

from .closed import Closed
from .evidence import Evidence
from .hashes import Refused
from .held import Log
from .identity import Certificate
from .settlement import Settlement, end_of


class Words:
    """The part of a Session that names logs, with what there is to say of them."""

    def log_size(self, log, root=False):
        """A LogSize; its `size` is 0 without words where nothing may leave."""
        size = self.store.servable(log.name)
        if self.version < 2 or not log.words or size < log.size:
            return {"log": log.name, "size": size} | ({"root": log.root_at(size)} if root and size else {})
        return {"log": log.name, "size": size, "root": log.root,
                "settlement": log.settlement.bytes if log.settlement else b"",
                "evidence": log.evidence.bytes if log.evidence else b"",
                "certificate": log.certificate.bytes if log.certificate else b""}

    def is_news(self, log):
        """Whether the peer is to be told of the log as it is now."""
        if self.version >= 2 and log.words:
            return self.told_words.get(log.name) != log.words
        return self.known.get(log.name, 0) < log.size

    def note_told(self, log):
        self.known[log.name] = max(self.store.servable(log.name), self.known.get(log.name, 0))
        if log.words:
            self.told_words[log.name] = log.words

    def hear(self, one):
        """What a LogSize says of a settlement and of evidence; whether the log is to be looked at further."""
        name = one["log"]
        settlement, evidence = one["settlement"], one["evidence"]
        if self.version < 2 or not settlement and not evidence:
            return not self.store.leaves_alone(name)
        try:
            made = Evidence.parse(evidence) if evidence else None
        except Refused:
            raise Closed("falseEvidence", True) from None
        if made and made.log != name:
            raise Closed("falseEvidence", True)
        said = Settlement(settlement) if settlement else None
        self.told_words[name] = (one["size"], one["root"], settlement, made.seq if made else 2**64 - 1)
        log = self.store.logs.get(name) or self.store.ends.get(name)
        fresh = said if said and said.over(log and log.settlement) else None
        proof = made if made and made.over(log and log.evidence) else None
        if fresh or proof:
            self._check_words(one, fresh, proof)
            if not self._keep_words(one, fresh, proof):
                return False
        return bool(one["certificate"]) and name in self.store.logs

    def _check_words(self, one, settlement, evidence):
        network = self.store.network
        if settlement:
            try:
                Settlement.check(settlement.bytes, network)
            except Refused:
                raise Closed("badSettlement", True) from None
        if not one["certificate"]:
            if not settlement or not settlement.ends_account or one["log"] != end_of(network, settlement.root_key):
                raise Closed("badSettlement", True)
            return
        certificate = Certificate.check(one["certificate"], network)    # badSignature is badCertificate
        if certificate.log != one["log"]:
            raise Closed("badCertificate", True)
        if settlement and (settlement.log, settlement.root_key) != (one["log"], certificate.root):
            raise Closed("badSettlement", True)
        if evidence:
            try:
                evidence.check(network, certificate.device)
            except Refused:
                raise Closed("falseEvidence", True) from None

    def _keep_words(self, one, settlement, evidence):
        """False if the log is not carried, or there is no more to it."""
        store = self.store
        if not one["certificate"]:
            store.put_end(settlement, self)
            return False
        certificate = Certificate(one["certificate"])
        if store.ended(certificate.root) or store.leaves_alone(one["log"]):
            return False
        log = store.logs.setdefault(one["log"], Log(certificate))
        store.put_words(log, settlement, evidence, self)
        self.log("a settlement" if settlement else "evidence of a fork")
        self.node.words_came(log)
        return one["log"] in store.logs
