"""Interpreters and compiled runtimes with threads of their own."""

from row import Row, all_of, prepared, prints, text

PYTHON = """
import threading, queue
todo, done, lock = queue.Queue(4), [], threading.Lock()
def produce(n):
    for i in range(20): todo.put((n, i))
def consume():
    while (item := todo.get()) is not None:
        with lock: done.append(item)
producers = [threading.Thread(target=produce, args=(n,)) for n in range(3)]
consumers = [threading.Thread(target=consume) for _ in range(3)]
for t in producers + consumers: t.start()
for t in producers: t.join()
for _ in consumers: todo.put(None)
for t in consumers: t.join()
assert len(done) == 60 and len(set(done)) == 60
print("all", len(done))
"""

RUBY = """
queue, mutex, sum = Queue.new, Mutex.new, 0
workers = 3.times.map { Thread.new { while (n = queue.pop) != :end; mutex.synchronize { sum += n }; end } }
20.times { |n| queue << n }
3.times { queue << :end }
workers.each(&:join)
puts sum
"""

PERL = """
use threads; use threads::shared; use Thread::Queue;
my $queue = Thread::Queue->new(1 .. 20); my $sum :shared = 0; $queue->end;
my @workers = map { threads->create(sub { while (defined(my $n = $queue->dequeue)) { lock($sum); $sum += $n } }) } 1 .. 3;
$_->join for @workers; print "$sum\\n"; exit($sum == 210 ? 0 : 1);
"""

NODE = """
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
if (isMainThread) {
  let sum = 0, left = 2;
  for (const n of [1, 2]) new Worker(__filename, { workerData: n }).on('message', m => {
    sum += m; if (--left === 0) { console.log(sum); if (sum !== 30) process.exit(1); } });
} else parentPort.postMessage(workerData * 10);
"""

JAVA = """
import java.util.concurrent.*;
public class Sum {
  public static void main(String[] words) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(3);
    Future<Integer>[] parts = new Future[6];
    for (int i = 0; i < parts.length; i++) { int n = i; parts[i] = pool.submit(() -> n * n); }
    int sum = 0;
    for (Future<Integer> part : parts) sum += part.get();
    pool.shutdown();
    System.out.println(sum);
    System.exit(sum == 55 ? 0 : 1);
  }
}
"""

GUILE = """
(use-modules (ice-9 threads))
(define m (make-mutex)) (define sum 0)
(define (work n) (lambda () (lock-mutex m) (set! sum (+ sum n)) (unlock-mutex m)))
(for-each join-thread (map (lambda (n) (call-with-new-thread (work n))) '(1 2 3)))
(display sum) (newline) (exit (if (= sum 6) 0 1))
"""

TCL = """
package require Thread
tsv::set sum total 0
set workers {}
for {set i 1} {$i <= 3} {incr i} { lappend workers [thread::create -joinable "tsv::incr sum total $i"] }
foreach worker $workers { thread::join $worker }
puts [tsv::get sum total]
exit [expr {[tsv::get sum total] != 6}]
"""

LISP = """
(let ((sum 0) (m (sb-thread:make-mutex)))
  (mapc #'sb-thread:join-thread
        (loop for n in '(1 2 3) collect (let ((n n)) (sb-thread:make-thread (lambda () (sb-thread:with-mutex (m) (incf sum n)))))))
  (print sum) (sb-ext:exit :code (if (= sum 6) 0 1)))
"""

NUMPY = """
import numpy
a = numpy.arange(40000.0).reshape(200, 200) % 7
b = a @ a
assert b[0, 0] == sum(a[0, i] * a[i, 0] for i in range(200))
print("right")
"""

ROWS = [
    Row("python3.11", "python3", "/usr/bin/python3.11 threads.py", text("threads.py", PYTHON), prints("all 60"), threads=7, short=True),
    Row("numpy", "python3-numpy libopenblas0-pthread", "/usr/bin/python3.11 a.py", text("a.py", NUMPY),
        prints("right"), env=(("OPENBLAS_NUM_THREADS", "3"),)),
    Row("ruby", "ruby", "ruby --disable=gems t.rb", text("t.rb", RUBY), prints("190")),
    Row("perl", "perl", "perl t.pl", text("t.pl", PERL), prints("210")),
    Row("node", "nodejs", "node --v8-pool-size=1 t.js", text("t.js", NODE), prints("30"), options=("--steps", 0)),
    Row("java", "openjdk-17-jdk-headless", "java -Xint -Xshare:auto -XX:+UseSerialGC -cp . Sum",
        all_of(text("Sum.java", JAVA), prepared("javac -nowarn Sum.java")), prints("55"), options=("--steps", 0)),
    Row("guile", "guile-3.0", "guile --no-auto-compile t.scm", text("t.scm", GUILE), prints("6")),
    Row("tcl", "tcl tcl-thread", "tclsh t.tcl", text("t.tcl", TCL), prints("6")),
    Row("sbcl", "sbcl", "sbcl --script t.lisp", text("t.lisp", LISP), prints("6")),
    Row("pandoc (GHC)", "pandoc", "pandoc +RTS -N2 -RTS -f markdown -t html t.md", text("t.md", "# Title\n\ntext *here*\n"), prints("<em>here</em>")),
    Row("hledger (GHC)", "hledger", "hledger -f t.journal balance",
        text("t.journal", "2024-01-01 x\n  a  10\n  b\n"), prints("10")),
]
