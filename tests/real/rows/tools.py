"""What developers and administrators use: searching, linking, indexing, measuring, copying."""

from row import Row, all_of, data, needles, prepared, prints, repository, shuffled, text, writes

HELLO = text("h.c", "int main(void) { return 42; }\n")
CODE = text("code.cc", "#include <stddef.h>\nstruct S { int a; };\nint f(S* s) { return s->a + 1; }\nint main() { S s{2}; return f(&s); }\n")
CALL = text("h.c", "int g(void);\nint main(void) { return g(); }\n")
OBJECT = all_of(HELLO, prepared("gcc -c h.c"))

ROWS = [
    Row("sort", "coreutils", "sort --parallel=4 -n lines -o sorted", shuffled(140_000),
        lambda folder, _: in_order(folder / "sorted", 140_000), short=True),
    Row("ripgrep", "ripgrep", "rg -j4 --no-ignore -c needle texts", needles(40),
        lambda _, result: sums_to(result.out, sum(range(40))), short=True),
    Row("fd", "fd-find", "fdfind -j 3 text1 texts", needles(12), prints(r"text1\b"), short=True),
    Row("ag", "silversearcher-ag", "ag --workers 3 -c needle texts", needles(12), prints(r"text11:11")),
    Row("git grep", "git", "git -c grep.threads=3 grep -c needle", repository(12), prints(r"text11:11")),
    Row("git pack-objects", "git", "git -c pack.threads=3 pack-objects -q --all --no-reuse-delta --no-reuse-object pack",
        repository(60), prints(r"^[0-9a-f]{40}")),
    Row("git index-pack", "git", "git index-pack --threads=3 in.pack",
        all_of(repository(20), prepared("sh -c 'git pack-objects -q --all --stdout < /dev/null > in.pack'"))),
    Row("lld", "lld-14", "ld.lld-14 --threads=4 h.o -e main -o h", OBJECT, writes("h"), short=True),
    Row("gold", "binutils", "ld.gold --threads --thread-count=3 h.o -e main -o h", OBJECT, writes("h")),
    Row("mold", "mold", "mold --no-fork --threads --thread-count=3 h.o -e main -o h", OBJECT, writes("h")),
    Row("clangd", "clangd-14", "clangd-14 --check=code.cc -j=2 --log=error", CODE),
    Row("gdb", "gdb", "gdb -nx -batch -ex 'maint set worker-threads 2' -ex 'file /usr/bin/git' -ex 'info files'"),
    Row("doxygen", "doxygen", "doxygen Doxyfile",
        all_of(CODE, text("Doxyfile", "INPUT = code.cc\nQUIET = YES\nGENERATE_LATEX = NO\nNUM_PROC_THREADS = 3\n"
                                      "EXTRACT_ALL = YES\nHAVE_DOT = NO\nWARNINGS = NO\n")), writes("html/index.html", 500)),
    Row("pahole", "dwarves", "pahole -j3 code.o", all_of(CODE, prepared("g++ -g -c code.cc")), prints("struct S")),
    Row("perf bench", "linux-perf", "perf bench -f simple sched messaging -t -g 1 -l 1", threads=3),
    Row("hyperfine", "hyperfine", "hyperfine --style full -N -w 0 -r 2 true", check=prints("Time")),
    Row("rmlint", "rmlint", "rmlint -o summary:stdout -t 3 texts", all_of(needles(6), prepared("cp texts/d0/text3 texts/copy")),
        prints("1 other items|duplicate|Duplicate")),
    Row("sysbench threads", "sysbench", "sysbench threads --threads=2 --events=3 --time=0 run", threads=3, short=True),
    Row("sysbench mutex", "sysbench", "sysbench mutex --threads=2 --mutex-num=2 --mutex-locks=20 --mutex-loops=10 run", threads=3),
    Row("fio", "fio", "fio --name=a --thread --numjobs=2 --rw=write --size=64k --bs=16k --ioengine=sync --directory=. --output=log",
        short=True),
    Row("stressapptest", "stressapptest", "stressapptest -s 1 -M 4 -m 2 -p 4096", check=prints("PASS")),
    Row("mbuffer", "mbuffer", "mbuffer -q -f -m 16k -b 16 -s 1k -i in -o out", data(100_000), writes("out", 100_000)),
    # z3 4.8.12: task_queue::get_task() waits without looking whether m_shutdown was set, and its setting notified, since it
    # saw that it was not. A lost wake-up.
    Row("z3", "z3", "z3 parallel.enable=true parallel.threads.max=3 in.smt2",
        text("in.smt2", "(declare-const a Int)(declare-const b Int)(assert (= (* a b) 391))(assert (> a 1))(assert (> b a))"
                        "(check-sat-using psmt)\n"), bug="deadlock"),
    Row("clasp", "clasp", "clasp -t 3 in.cnf", text("in.cnf", "p cnf 4 5\n1 2 0\n-1 3 0\n-2 -3 0\n3 4 0\n-4 1 0\n"),
        prints("SATISFIABLE"), exit=10),
]


def in_order(path, count):
    assert path.read_text() == "".join(f"{n}\n" for n in range(count)), "not sorted"


def sums_to(out, total):
    assert sum(int(line.rpartition(":")[2]) for line in out.splitlines()) == total, out
