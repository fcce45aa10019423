"""Servers under control, with a client outside of it on the loopback device.

A schedule of a server begins with its start and ends when the client has got its answers and tells it to shut
down. So every schedule that passes had a session, in which the right answers came. The idle server's deadlines
come as fast as it can handle them, hence no step budget: the time-out bounds each schedule.
"""

import os
import socket
import subprocess
import threading
import time
import unittest

from real_case import POLICIES, SCHEDULES, RealCase, snarl_case

CONNECTIONS, ROUNDS = 4, 5  # as many as there are worker threads; each adds one to a counter so many times
TOTAL = CONNECTIONS * ROUNDS


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Client(threading.Thread):
    """Sessions, one after the other, until it is stopped."""

    def __init__(self, port, session):
        super().__init__(daemon=True)
        self.port, self.session = port, session
        self.sessions, self.wrong, self.stopping = 0, [], False

    def run(self):
        while not self.stopping:
            try:
                self.one_session()
                self.sessions += 1
            except OSError:  # the server is not there yet, or not any more
                time.sleep(0.002)
            except (AssertionError, ValueError, IndexError) as error:
                self.wrong.append(repr(error))
                self.stopping = True

    def one_session(self):
        sockets = [socket.create_connection(("127.0.0.1", self.port), timeout=20) for _ in range(CONNECTIONS)]
        try:
            self.session(sockets, [s.makefile("rb") for s in sockets])
        finally:
            for s in sockets:
                s.close()


def line_of(file):
    line = file.readline()
    if not line:
        raise ConnectionResetError  # ended by snarl, or by the shutdown of the session before
    return line


def count_up(sockets, files, command, number_of):
    """All add one at the same time, and no two may see the same sum."""
    seen = []
    for _ in range(ROUNDS):
        for s in sockets:
            s.sendall(command)
        seen += [number_of(line_of(file)) for file in files]
    assert sorted(seen) == list(range(1, TOTAL + 1)), seen


def memcached_session(sockets, files):
    sockets[0].sendall(b"set n 0 0 1\r\n0\r\n")
    assert line_of(files[0]) == b"STORED\r\n"
    count_up(sockets, files, b"incr n 1\r\n", int)
    sockets[0].sendall(b"shutdown\r\n")
    assert files[0].readline() == b""


def redis_session(sockets, files):
    count_up(sockets, files, b"INCR n\r\n", lambda line: int(line[1:]))
    sockets[0].sendall(b"SHUTDOWN NOSAVE\r\n")
    assert files[0].readline() == b""


def benchmark_session(sockets, files):
    """Redis' own benchmark, from another process, before the usual session: no command of it may fail."""
    port = sockets[0].getpeername()[1]
    done = snarl_case.run(["redis-benchmark", "-p", str(port), "-c", "4", "-n", "200", "-t", "set,get,incr,lpush", "-q"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if "refused" in done.stdout or "closed" in done.stdout:
        raise ConnectionResetError
    assert done.returncode == 0 and done.stdout.count("requests per second") == 4, done.stdout
    redis_session(sockets, files)


class RealServers(RealCase):

    def serve(self, session, command, least_threads):
        port = free_port()
        client = Client(port, session)
        client.start()
        try:
            summaries = self.explore([part.replace("PORT", str(port)) for part in command], least_threads, ("--steps", 0))
        finally:
            client.stopping = True
            client.join(30)
        self.assertEqual(client.wrong, [])
        self.assertGreaterEqual(client.sessions, SCHEDULES * len(POLICIES))
        self.expect_patched(summaries)

    def test_memcached(self):
        user = ["-u", "nobody"] if os.geteuid() == 0 else []
        self.serve(memcached_session, ["memcached", "-A", "-t", "4", "-l", "127.0.0.1", "-p", "PORT", "-U", "0", *user], 5)

    @unittest.skipUnless(os.environ.get("SNARL_LONG"), "takes long")
    def test_redis_benchmark(self):
        self.redis(benchmark_session)

    def test_redis(self):
        self.redis(redis_session)

    def redis(self, session):
        self.serve(session, ["redis-server", "--port", "PORT", "--bind", "127.0.0.1", "--save", "",
                             "--io-threads", "4", "--io-threads-do-reads", "yes"], 4)


if __name__ == "__main__":
    unittest.main(verbosity=1)
