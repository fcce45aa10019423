"""Small programs on top of libraries that bring threads, locks or allocators of their own."""

from row import Row, all_of, compiled, genome, prepared, prints, text, writes

SQL = """
.output result.txt
pragma threads=4;
pragma cache_size=100;
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000) insert into t select x, (x * 7919) % 30011 from c;
create index i on t(b);
select count(*), sum(b) from t indexed by i where b > 100;
"""


def same_as_native(folder, _):
    assert (folder / "result.txt").read_text() == (folder / "native.txt").read_text(), "another result than without snarl"


ROWS = [
    Row("TBB", "libtbb-dev", "./program", compiled("tbb_tasks.cc", "-O2 -ltbb"), options=("--slice", "5ms"), threads=4,
        patched=True, short=True),
    Row("jemalloc", "libjemalloc2", "./program", compiled("jemalloc.cc", "-O2 -l:libjemalloc.so.2"), threads=4, patched=True,
        short=True),
    Row("Qt", "libqt5core5a", "./program", compiled("qt_pool.cc", "-O2 -l:libQt5Core.so.5"), threads=3, short=True),
    Row("LevelDB", "libleveldb-dev", "./program", compiled("leveldb.cc", "-lleveldb"), threads=5),
    Row("OpenMP (gcc)", "gcc", "./program", compiled("openmp.c", "-O2 -fopenmp", "gcc"), prints("1498500 30"), threads=4),
    Row("GLib", "libglib2.0-0", "./program", compiled("glib_pool.c", "-l:libglib-2.0.so.0", "gcc"), prints("91"), threads=2),
    Row("libuv", "libuv1-dev", "./program", compiled("uv_work.c", "-luv", "gcc"), prints("20"), threads=3),
    Row("Abseil", "libabsl-dev", "./program", compiled("abseil.cc", "-labsl_synchronization -labsl_base -labsl_time"),
        prints("78"), threads=4),
    Row("Boost.Asio", "libboost-dev libboost-thread-dev", "./program", compiled("boost_asio.cc", "-include utility -lboost_thread"), prints("121"),
        threads=4),
    Row("libevent", "libevent-dev", "./program", compiled("libevent_pool.c", "-levent -levent_pthreads", "gcc"), threads=4),
    Row("liburcu", "liburcu-dev", "./program", compiled("urcu.c", "-lurcu", "gcc"), threads=3),
    Row("libmicrohttpd", "libmicrohttpd-dev", "./program", compiled("microhttpd.c", "-lmicrohttpd", "gcc"), prints("3"), threads=3),
    Row("forty threads", "g++", "./program", compiled("forty_threads.cc"), threads=40),
    Row("sqlite3", "sqlite3", "sqlite3 :memory: '.read work.sql'",
        all_of(text("work.sql", SQL), prepared("sqlite3 :memory: '.read work.sql'"), prepared("mv result.txt native.txt")),
        same_as_native, short=True),
    Row("RocksDB", "rocksdb-tools", "db_bench --benchmarks=fillrandom,compact --num=200 --threads=2 --db=db --max_background_jobs=2"
        " --compression_type=none", check=prints("fillrandom")),
    Row("samtools", "samtools minimap2", "samtools sort -@ 2 -m 1M -o out.bam in.sam",
        all_of(genome(3000, 200), prepared("minimap2 -t 1 -a -o in.sam ref.fa reads.fq")), writes("out.bam", 500)),
    Row("minimap2", "minimap2", "minimap2 -t 3 -K 5k -a -o out.sam ref.fa reads.fq", genome(3000, 200), writes("out.sam", 5000)),
    Row("bwa", "bwa", "bwa mem -t 3 -K 5000 -o out.sam ref.fa reads.fq",
        all_of(genome(3000, 200), prepared("sh -c 'bwa index ref.fa 2>&1'")), writes("out.sam", 5000)),
    Row("hmmer", "hmmer", "nhmmer --cpu 2 -o out ref.fa ref.fa", genome(500, 1), writes("out", 200)),
]
