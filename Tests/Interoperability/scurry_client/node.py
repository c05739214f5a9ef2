"""A node: a store, its connections, and the loop that moves bytes between them and their sockets."""

import os
import select
import socket
import time
from collections import Counter

from .closed import Closed
from .session import Session
from .store import Store


class Node:
    def __init__(self, network, private=None, trace=None, chop=None, version=2):
        self.private = private or os.urandom(32)
        self.store = Store(network)
        self.trace = trace or (lambda text: None)
        self.listener = None
        self.listen_port = 0
        self.sessions = {}      # socket: Session
        self.over = []
        self.version = version  # the newest that is said in Hello
        self.served = Counter() # what was given to others, by kind
        self.taken = Counter()  # what came of windows and gaps
        self.taught = None      # what is done to each new session, for tests
        self.chop = chop        # at most so many bytes in one read and one write

    def listen(self, host, port):
        self.listener = socket.create_server((host, port))
        self.listen_port = self.listener.getsockname()[1]

    def dial(self, host, port, expected=None):
        return self.adopt(socket.create_connection((host, port), timeout=10), True, expected)

    def adopt(self, connection, initiator, expected=None):
        connection.setblocking(False)
        session = Session(self, initiator, expected, time.monotonic())
        self.sessions[connection] = session
        if self.taught:
            self.taught(session)
        return session

    def write(self, kind, payload):
        entry = self.store.write(kind, payload)
        log = self.store.logs[entry.log]
        if self.store.own_confirmed:
            self.pushed(None, log.chunk(log.size - 1, log.size, False), log.size)
        return entry

    def pushed(self, source, chunk, size):
        for session in list(self.sessions.values()):
            if session is not source:
                session.push(chunk, size)

    def asked(self, name):
        """Whether a log is asked of somebody, or is to be."""
        return any(name in session.wants or name in session.to_ask for session in self.sessions.values())

    def unanswered(self, source, name):
        """A log that `source` did not supply: another that offered as much is asked."""
        log = self.store.logs.get(name)
        for session in self.sessions.values():
            if session is not source and session.ready and not self.asked(name):
                if log:
                    session.look_again(log)
                elif session.known.get(name, 0) and session._lacks(name, session.known[name]):
                    session.want(name)

    def words_came(self, log):
        """A settlement or evidence of a log, or more of it: everybody may have something for it."""
        for session in list(self.sessions.values()):
            if not session.closed:
                session.look_again(log)

    def step(self, wait=0.05):
        reading = list(self.sessions) + ([self.listener] if self.listener else [])
        writing = [one for one, session in self.sessions.items() if session.channel.out]
        if not reading:
            return
        readable, writable, _ = select.select(reading, writing, [], wait)
        now = time.monotonic()
        for one in readable:
            if one is self.listener:
                self.adopt(one.accept()[0], False)
                continue
            session = self.sessions[one]
            try:
                data = one.recv(self.chop or 262_144)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if data:
                session.receive(data, now)
            else:
                self._drop(one, "ended")
        for session in list(self.sessions.values()):
            session.tick(now)
        for one, session in list(self.sessions.items()):
            out = session.channel.out
            try:
                while out:
                    del out[:one.send(bytes(out[:self.chop or 262_144]))]
            except BlockingIOError:
                pass
            except OSError:
                self._drop(one, "ended")
                continue
            if session.closed and not out:
                if session.lingers is None:
                    session.lingers = now + 2
                    self._shut(one)
                elif now > session.lingers:
                    self._drop(one, session.closed.name)

    @staticmethod
    def _shut(one):
        try:
            one.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def _drop(self, one, why):
        session = self.sessions.pop(one)
        session.closed = session.closed or Closed(why)
        self.over.append(session)
        one.close()
        for name in session.wants | session.to_ask:
            self.unanswered(session, name)

    def run(self, until, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if until():
                return True
            if not self.sessions and not self.listener:
                return bool(until())
            self.step()
        return bool(until())

    def stop(self):
        for session in self.sessions.values():
            session.goodbye()
        end = time.monotonic() + 2
        while self.sessions and time.monotonic() < end:
            self.step()
        if self.listener:
            self.listener.close()
