"""A client on the loopback device, outside of the controlled server, and helpers that a program talks to.

A schedule of a server begins with its start and ends when the client has got its answers and tells it to end. So every
schedule that passes had a session, in which the right answers came."""

import os
import pathlib
import shlex
import signal
import socket
import subprocess
import threading
import time

from row import snarl_case

CONNECTIONS, ROUNDS = 4, 5  # each adds one to a counter so many times
TOTAL = CONNECTIONS * ROUNDS


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def connect(port, kind=socket.SOCK_STREAM):
    s = socket.socket(socket.AF_INET, kind)
    s.settimeout(20)
    s.connect(("127.0.0.1", port))
    return s


class Client(threading.Thread):
    """Sessions, one after the other, until it is stopped."""

    def __init__(self, port, session):
        super().__init__(daemon=True)
        self.port, self.session = port, session
        self.sessions, self.wrong, self.stopping = 0, [], False

    def run(self):
        while not self.stopping:
            try:
                self.session(self.port)
                self.sessions += 1
            except OSError:  # the server is not there yet, or not any more
                time.sleep(0.002)
            except (AssertionError, ValueError, IndexError) as error:
                self.wrong.append(repr(error))
                self.stopping = True


def line_of(file):
    line = file.readline()
    if not line:
        raise ConnectionResetError  # ended by snarl, or by the shutdown of the session before
    return line


def with_connections(session):
    """Several at once, for a session that takes their sockets and files."""
    def visit(port):
        sockets = [connect(port) for _ in range(CONNECTIONS)]
        try:
            session(sockets, [s.makefile("rb") for s in sockets])
        finally:
            for s in sockets:
                s.close()
    return visit


def count_up(sockets, files, command, number_of):
    """All add one at the same time, and no two may see the same sum."""
    seen = []
    for _ in range(ROUNDS):
        for s in sockets:
            s.sendall(command)
        seen += [number_of(line_of(file)) for file in files]
    assert sorted(seen) == list(range(1, TOTAL + 1)), seen


@with_connections
def memcached(sockets, files):
    sockets[0].sendall(b"set n 0 0 1\r\n0\r\n")
    assert line_of(files[0]) == b"STORED\r\n"
    count_up(sockets, files, b"incr n 1\r\n", int)
    sockets[0].sendall(b"shutdown\r\n")
    assert files[0].readline() == b""


@with_connections
def redis(sockets, files):
    count_up(sockets, files, b"INCR n\r\n", lambda line: int(line[1:]))
    sockets[0].sendall(b"SHUTDOWN NOSAVE\r\n")
    assert files[0].readline() == b""


def redis_benchmark(port):
    """Redis' own benchmark, from another process, before the usual session: no command of it may fail."""
    connect(port).close()
    done = snarl_case.run(["redis-benchmark", "-p", port, "-c", "4", "-n", "200", "-t", "set,get,incr,lpush", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if "refused" in done.stdout or "closed" in done.stdout:
        raise ConnectionResetError
    assert done.returncode == 0 and done.stdout.count("requests per second") == 4, done.stdout
    redis(port)


def listener(port):
    """The process that listens there; None: nobody does."""
    inodes = set()
    for table in ("tcp", "udp"):
        for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[1] == f"0100007F:{port:04X}" and words[2] == "00000000:0000":
                inodes.add(f"socket:[{words[9]}]")
    for fd in pathlib.Path("/proc").glob("[0-9]*/fd/*"):
        try:
            if os.readlink(fd) in inodes:
                return int(fd.parts[2])
        except OSError:  # it has gone meanwhile
            continue
    return None


def ended_by(number, talk):
    """`talk` gets the right answers; then the server is told to end by a signal."""
    def visit(port):
        pid = listener(port)
        if pid is None:
            raise ConnectionRefusedError
        talk(port)
        while listener(port) == pid:
            os.kill(pid, number)  # again and again: nginx forgets one that comes just before it waits (epoll_wait)
            time.sleep(0.1)
    return visit


def http(path, answer, number=signal.SIGTERM, connections=3):
    """Several connections ask for a page at the same time."""
    def talk(port):
        sockets = [connect(port) for _ in range(connections)]
        for s in sockets:
            s.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        for s in sockets:
            with s.makefile("rb") as file:
                text = file.read()
            s.close()
            if not text:
                raise ConnectionResetError
            assert text.endswith(answer), text[-200:]
    return ended_by(number, talk)


def dns(port):
    """Asks for the address of a.example, five times at once."""
    question = b"\1a\7example\0\0\1\0\1"
    sockets = [connect(port, socket.SOCK_DGRAM) for _ in range(5)]
    for n, s in enumerate(sockets):
        s.settimeout(1)  # the packet, or its answer, may be lost
        s.send(bytes([n, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]) + question)
    for n, s in enumerate(sockets):
        answer = s.recv(512)
        s.close()
        assert answer[0] == n and answer.endswith(bytes([192, 0, 2, 1])), answer


def syslog(port):
    with connect(port) as s:
        s.sendall(b"".join(b"<13>Oct 11 22:14:15 host app: line %d\n" % n for n in range(10)))


def helper(command):
    """A server outside of snarl, for a program that talks to it; it listens when this returns."""
    def begin(folder, port):
        process = subprocess.Popen(shlex.split(command.replace("PORT", str(port))), cwd=folder, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while listener(port) is None:
            assert process.poll() is None and time.monotonic() < deadline, f"{command} does not listen"
            time.sleep(0.02)

        def end():
            snarl_case.kill_group(process)
            process.wait(30)
        return end
    return begin
