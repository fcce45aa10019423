"""Pictures, sound and film: pipelines, frames that wait for each other, OpenMP."""

from row import Row, all_of, film, picture, prepared, writes

FILM = film(96, 64, 6)
# One of its libraries may be linked to an OpenBLAS that makes threads before main.
QUIET = (("OPENBLAS_NUM_THREADS", "1"),)
FFMPEG = "ffmpeg -nostdin -v error -y -i in.y4m -threads 3"

ROWS = [
    Row("ffmpeg x264", "ffmpeg", f"{FFMPEG} -c:v libx264 -f mp4 out.mp4", FILM, writes("out.mp4", 500), env=QUIET),
    Row("ffmpeg x265", "ffmpeg", f"{FFMPEG} -c:v libx265 -x265-params pools=2:frame-threads=2:log-level=none -f mp4 out.mp4",
        FILM, writes("out.mp4", 500), env=QUIET),
    Row("ffmpeg vp9", "ffmpeg", f"{FFMPEG} -c:v libvpx-vp9 -row-mt 1 -cpu-used 5 -f webm out.webm", film(256, 64, 3),
        writes("out.webm", 300), env=QUIET),
    Row("vpxenc", "vpx-tools", "vpxenc -q --codec=vp8 --threads=3 --token-parts=2 -o out.webm in.y4m", film(256, 64, 3),
        writes("out.webm", 300)),
    Row("aomenc", "aom-tools", "aomenc -q --threads=3 --row-mt=1 --cpu-used=9 --rt -o out.webm in.y4m", film(160, 64, 2),
        writes("out.webm", 200)),
    Row("dav1d", "dav1d vpx-tools aom-tools", "dav1d -q --threads 3 -i in.ivf -o out.y4m",
        all_of(FILM, prepared("aomenc -q --ivf --cpu-used=9 --rt -o in.ivf in.y4m")), writes("out.y4m", 6 * 96 * 64)),
    Row("SvtAv1EncApp", "svt-av1", "SvtAv1EncApp -i in.y4m -b out.ivf --preset 12 --lp 2 -n 3 --progress 0",
        film(64, 64, 3), writes("out.ivf")),
    Row("cwebp", "webp", "cwebp -quiet -mt -m 4 in.ppm -o out.webp", picture(160, 120), writes("out.webp", 500)),
    Row("cjxl", "libjxl-tools", "cjxl --quiet -e 3 --num_threads=3 in.ppm out.jxl", picture(300, 300), writes("out.jxl", 500)),
    Row("graphicsmagick", "graphicsmagick", "gm convert -limit threads 3 in.ppm -blur 0x2 -resize 50% out.png",
        picture(120, 120), writes("out.png", 500)),
    Row("pngquant", "pngquant graphicsmagick", "pngquant --force -o out.png 16 in.png",
        all_of(picture(120, 120), prepared("gm convert in.ppm in.png")), writes("out.png", 500)),
    Row("vips", "libvips-tools", "vips --vips-concurrency=3 gaussblur in.ppm out.ppm 2", picture(300, 300),
        writes("out.ppm", 300 * 300 * 3)),
    Row("gst-launch", "gstreamer1.0-tools gstreamer1.0-plugins-base",
        "gst-launch-1.0 -q audiotestsrc num-buffers=20 ! queue max-size-buffers=2 ! audioconvert ! queue ! filesink location=out",
        check=writes("out", 1000)),
]
