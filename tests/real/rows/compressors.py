"""Archives and compressed files: pools of workers between a reader and a writer that keeps the order."""

from row import Row, all_of, data, needles, prepared, prints, unpacks, writes

PACKED = data(1_200_000)

ROWS = [
    Row("pigz", "pigz", "pigz -p4 -b 128 -kf in", PACKED, unpacks("gzip -dc in.gz"), short=True),
    Row("pbzip2", "pbzip2", "pbzip2 -p4 -b1 -kf in", data(500_000), unpacks("pbzip2 -dc in.bz2"), short=True),
    Row("lbzip2", "lbzip2", "lbzip2 -n4 -1 -kf in", data(500_000), unpacks("lbzip2 -dc in.bz2")),
    Row("plzip", "plzip", "plzip -n4 -0 -B 262144 -kf in", PACKED, unpacks("plzip -dc in.lz")),
    Row("pixz", "pixz", "pixz -p4 -0 -f0.25 in in.xz", data(300_000), unpacks("xz -dc in.xz")),
    Row("lrzip", "lrzip", "lrzip -q -f -p4 -l in", data(300_000), unpacks("lrzip -q -d -o - in.lrz")),
    Row("zstd", "zstd", "zstd -q -T4 -B524288 -3 -f in", PACKED, unpacks("zstd -qdc in.zst"), short=True),
    Row("xz", "xz-utils", "xz -T4 -1 --block-size=262144 -kf in", PACKED, unpacks("xz -dc in.xz"), short=True),
    Row("7zz", "7zip", "7zz a -bso0 -bsp0 -mmt2 -mx5 out.7z in", data(300_000), unpacks("7zz e -so out.7z in")),
    Row("bsdtar", "libarchive-tools", "bsdtar --options xz:threads=3,xz:compression-level=0 -cJf out.tar.xz in",
        data(300_000), unpacks("bsdtar -xOf out.tar.xz in")),
    Row("mksquashfs", "squashfs-tools", "mksquashfs texts out.sq -processors 3 -no-progress -quiet -noappend",
        needles(12), writes("out.sq", 4096)),
    Row("unsquashfs", "squashfs-tools", "unsquashfs -processors 3 -no-progress -quiet -f -d unpacked in.sq",
        all_of(needles(12), prepared("mksquashfs texts in.sq -no-progress -quiet -noappend")), writes("unpacked/d1/text4")),
    Row("bgzip", "tabix", "bgzip -@ 3 -kf in", PACKED, unpacks("gzip -dc in.gz")),
    Row("par2", "par2", "par2 verify -q -t3 in.par2", all_of(data(100_000), prepared("par2 create -qq -s4096 -c4 in.par2 in")),
        prints("All files are correct")),
]
