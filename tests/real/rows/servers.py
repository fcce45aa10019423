"""Servers, with a client that ends each schedule, and clients of a server. All on the loopback device.

An idle server's deadlines come as fast as it can handle them, hence no step budget: the time-out bounds each schedule."""

import os
import signal

import client
from row import Row, all_of, compiled, text

SERVER = ("--steps", 0)
USER = " -u nobody" if os.geteuid() == 0 else ""
PAGE = text("page", "fine\n", 0o644)
NGINX = """daemon off; master_process off; pid nginx.pid; error_log stderr crit; worker_processes 1;
thread_pool default threads=3 max_queue=100;
events { worker_connections 64; }
http { access_log off; aio threads; sendfile off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;
  uwsgi_temp_path t4; scgi_temp_path t5; server { listen 127.0.0.1:PORT; root .; } }
"""
UNBOUND = """server:
  num-threads: 2
  do-daemonize: no
  chroot: ""
  username: ""
  pidfile: ""
  use-syslog: no
  logfile: "unbound.log"
  interface: 127.0.0.1@PORT
  so-reuseport: no
  module-config: "iterator"
  local-zone: "example." static
  local-data: "a.example. IN A 192.0.2.1"
remote-control:
  control-enable: no
"""
KNOT = """server:
  listen: 127.0.0.1@PORT
  rundir: .
  udp-workers: 2
  tcp-workers: 2
  background-workers: 1
database:
  storage: .
zone:
  - domain: example
    storage: .
    file: example.zone
    journal-content: none
"""
ZONE = """$ORIGIN example.
@ 60 SOA ns a 1 60 60 60 60
@ 60 NS ns
ns 60 A 192.0.2.2
a 60 A 192.0.2.1
"""
HAPROXY = """global
  nbthread 2
defaults
  mode http
  timeout connect 2s
  timeout client 2s
  timeout server 2s
frontend f
  bind 127.0.0.1:PORT
  http-request return status 200 content-type text/plain string fine
"""
APACHE = """ServerRoot .
ServerName localhost
Listen 127.0.0.1:PORT
PidFile apache.pid
ErrorLog error.log
DefaultRuntimeDir .
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
ThreadsPerChild 3
StartServers 1
ServerLimit 1
MaxRequestWorkers 3
DocumentRoot .
"""
RSYSLOG = """global(workDirectory="." maxMessageSize="8k")
module(load="imtcp")
input(type="imtcp" port="PORT" address="127.0.0.1")
main_queue(queue.type="LinkedList" queue.workerThreads="2")
*.* action(type="omfile" file="./all.log" queue.type="LinkedList")
"""

ROWS = [
    Row("memcached", "memcached", "memcached -A -t 4 -l 127.0.0.1 -p PORT -U 0" + USER, session=client.memcached,
        options=SERVER, threads=5, patched=True, short=True),
    Row("redis", "redis-server", "redis-server --port PORT --bind 127.0.0.1 --save '' --io-threads 4 --io-threads-do-reads yes",
        session=client.redis, options=SERVER, threads=4, patched=True, short=True),
    Row("redis, benchmark", "redis-server redis-tools",
        "redis-server --port PORT --bind 127.0.0.1 --save '' --io-threads 4 --io-threads-do-reads yes",
        session=client.redis_benchmark, options=SERVER, threads=4, patched=True),
    Row("nginx", "nginx", "/usr/sbin/nginx -p . -e stderr -c nginx.conf", all_of(text("nginx.conf", NGINX), PAGE), session=client.http("/page", b"fine\n"),
        options=SERVER),
    Row("apache2", "apache2-bin", "/usr/sbin/apache2 -X -d . -f apache.conf", all_of(text("apache.conf", APACHE), PAGE),
        session=client.http("/page", b"fine\n"), options=SERVER, threads=4),
    Row("haproxy", "haproxy", "/usr/sbin/haproxy -db -f haproxy.conf", text("haproxy.conf", HAPROXY),
        session=client.http("/", b"fine", signal.SIGUSR1), options=SERVER),
    Row("unbound", "unbound", "/usr/sbin/unbound -d -c unbound.conf", text("unbound.conf", UNBOUND),
        session=client.ended_by(signal.SIGTERM, client.dns), options=SERVER),
    Row("knotd", "knot", "/usr/sbin/knotd -c knot.conf", all_of(text("knot.conf", KNOT), text("example.zone", ZONE)),
        session=client.ended_by(signal.SIGTERM, client.dns), options=SERVER, threads=5),
    Row("rsyslogd", "rsyslog", "/usr/sbin/rsyslogd -n -f rsyslog.conf -i rsyslog.pid", text("rsyslog.conf", RSYSLOG),
        session=client.ended_by(signal.SIGTERM, client.syslog), options=SERVER, threads=3),
    Row("libmosquitto", "libmosquitto-dev mosquitto", "./program PORT", compiled("mosquitto.c", "-lmosquitto", "gcc"),
        helper=client.helper("/usr/sbin/mosquitto -p PORT"), options=SERVER),
]
