"""Hosts with addresses of their own on one machine: network namespaces, veth pairs, and the wire between them."""

import array
import copy
import fcntl
import json
import os
import socket
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
PORT = 7776


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, capture_output=True, **options).stdout


def without_offload(name):
    """Makes a veth end give whole frames: checksums computed, segments of the wire's own size (SIOCETHTOOL)."""
    siocethtool = 0x8946
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        # ETHTOOL_STXCSUM, STSO, SGSO, SGRO of linux/ethtool.h.
        for command in (0x17, 0x1F, 0x24, 0x2C):
            value = array.array("B", struct.pack("II", command, 0))
            request = struct.pack("16sP", name.encode(), value.buffer_info()[0])
            fcntl.ioctl(any_socket, siocethtool, request)


class Host:
    """One namespace with one interface, eth0."""

    def __init__(self, town, number):
        self.town = town
        self.number = number
        self.space = f"{town.prefix}-{number}"
        self.port = f"w{number}"
        self.last = number  # of the address; an address that moves is another one
        self.home = os.path.join(town.directory, f"host{number}")
        self.log = os.path.join(town.directory, f"host{number}.log")
        self.process = None
        self.kills = 0

    @property
    def address(self):
        return f"10.77.0.{self.last}"

    @property
    def address6(self):
        return f"fd77::{self.last}"

    def guest(self, name):
        """Another home on the same machine."""
        guest = copy.copy(self)
        guest.home = os.path.join(self.town.directory, f"{name}{self.number}")
        guest.log = guest.home + ".log"
        guest.process = None
        return guest

    def build(self):
        run("ip", "netns", "add", self.space)
        wire = self.town.wire_space
        run("ip", "-n", wire, "link", "add", self.port, "type", "veth", "peer", "name", "eth0", "netns", self.space)
        run("ip", "-n", wire, "link", "set", self.port, "up")
        run("ip", "-n", self.space, "link", "set", "lo", "up")
        run("ip", "-n", self.space, "link", "set", "eth0", "up")
        self.inside(sys.executable, os.path.join(HERE, "town.py"), "eth0")
        self.add_addresses()

    def add_addresses(self):
        run("ip", "-n", self.space, "addr", "add", f"{self.address}/24", "dev", "eth0")
        run("ip", "-n", self.space, "-6", "addr", "add", f"{self.address6}/64", "dev", "eth0", "nodad")

    def move(self, last):
        """Takes another address, as after a night in another building."""
        run("ip", "-n", self.space, "addr", "flush", "dev", "eth0", "scope", "global")
        self.last = last
        self.add_addresses()

    def inside(self, *command, **options):
        return run("ip", "netns", "exec", self.space, *command, **options)

    def scurry(self, *arguments, **options):
        """A command on this host's home; its standard output."""
        return self.inside(self.town.scurry, *arguments, env=self.environment, **options)

    def ended(self, *arguments):
        """A command that may fail: what it printed, and its exit code."""
        return subprocess.run(
            ["ip", "netns", "exec", self.space, self.town.scurry, *arguments],
            text=True, capture_output=True, env=self.environment,
        )

    def asked(self, *arguments):
        """The one JSON object that a reading command prints."""
        return json.loads(self.scurry(*arguments, "--json"))

    @property
    def environment(self):
        return {"SCURRY_HOME": self.home, "PATH": os.environ["PATH"], "PAGER": "cat", "HOME": self.town.directory}

    def start(self, *options):
        log = open(self.log, "a")
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", self.space, self.town.scurry, "run", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=self.environment,
        )

    def kill(self):
        """As a power cut ends a process: with no word."""
        self.process.kill()
        self.process.wait()
        self.kills += 1

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def fingerprint(self):
        found = self.asked("fingerprint")
        return found["fingerprint"], found["complete"]


class Town:
    """Hosts 1 to `count`, and the wire. A context: whatever happens, no namespace and no process is left."""

    def __init__(self, scurry, directory, count, latency, spread, loss, seed):
        self.scurry = scurry
        self.directory = directory
        self.prefix = f"scurry{os.getpid()}"
        self.wire_space = f"{self.prefix}-wire"
        self.hosts = [Host(self, number) for number in range(1, count + 1)]
        self.options = {
            "ports": [host.port for host in self.hosts],
            "latency": latency,
            "spread": spread,
            "loss": loss,
            "seed": seed,
        }
        self.wire = None

    def __enter__(self):
        try:
            run("ip", "netns", "add", self.wire_space)
            for host in self.hosts:
                host.build()
            self.wire = subprocess.Popen(
                ["ip", "netns", "exec", self.wire_space, sys.executable, os.path.join(HERE, "wire.py"),
                 json.dumps(self.options)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            self.wire.stdout.readline()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for host in self.hosts:
            host.stop()
        if self.wire:
            self.wire.stdin.close()
            self.wire.wait()
        for space in [host.space for host in self.hosts] + [self.wire_space]:
            subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)

    def order(self, **order):
        """Gives the wire an order; its counts of frames."""
        self.wire.stdin.write(json.dumps(order) + "\n")
        self.wire.stdin.flush()
        return json.loads(self.wire.stdout.readline())

    def split(self, *sides):
        self.order(split=[[self.hosts[number - 1].port for number in side] for side in sides])

    def heal(self):
        return self.order(heal=True)


def refusal():
    """Why hosts cannot be made here, in one line; None if they can."""
    if sys.platform != "linux":
        return "network namespaces are Linux's"
    if os.geteuid() != 0:
        return "network namespaces need root"
    space = f"scurry{os.getpid()}-try"
    try:
        run("ip", "netns", "add", space)
        run("ip", "-n", space, "link", "add", "veth0", "type", "veth", "peer", "name", "veth1")
    except FileNotFoundError:
        return "ip is missing (Debian: iproute2)"
    except subprocess.CalledProcessError as failure:
        return "network namespaces are not allowed here: " + failure.stderr.strip()
    finally:
        subprocess.run(["ip", "netns", "del", space], capture_output=True, check=False)
    return None


if __name__ == "__main__":
    without_offload(sys.argv[1])
