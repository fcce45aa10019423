#!/bin/sh
# Does ./run work on a machine that has nothing? Makes a minbase Debian 12 in a temporary folder, clones the repository
# into it and runs the verbs there, each with a timeout.
#
# usage: fresh_debian.sh REPOSITORY [VERB..]      verbs: "demo" and "test" by default
# environment: DEBIAN_MIRROR, SECONDS_PER_VERB (1800), http_proxy
# exit: 0 all verbs passed, 1 something failed, 77 a chroot can't be made here (not root, no debootstrap, ...)
#
# Mounts and processes live in namespaces of their own and end with this script, even if it is killed.
set -eu

say() { echo "fresh_debian: $*"; }

# make_root ROOT CLONE: a minbase Debian at ROOT with the clone in it.
make_root() {
  mirror=${DEBIAN_MIRROR:-$(apt-get indextargets --format "\$(REPO_URI)" | head -n 1)}
  say "debootstrap minbase bookworm from $mirror"
  timeout -k 10 "${SECONDS_PER_VERB:-1800}" debootstrap --variant=minbase bookworm "$1" "$mirror" >"$1.log" 2>&1 || {
    tail -20 "$1.log"
    exit 1
  }
  for absent in make sudo cmake; do
    [ ! -e "$1/usr/bin/$absent" ] || say "note: minbase already has $absent"
  done
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  mv "$2" "$1/root/a clone" # a space, on purpose
  mount -t proc proc "$1/proc"
  mount --rbind /sys "$1/sys"
  mkdir -p "$1/dev/shm" "$1/dev/pts"
  mount -t devpts -o newinstance,mode=0620,ptmxmode=0666 devpts "$1/dev/pts" # tests of the terminal open some
  mount -t tmpfs -o mode=1777 tmpfs "$1/dev/shm"
}

# run_verb ROOT VERB: ./run VERB in the clone, with nothing of this machine's environment.
run_verb() {
  start=$(date +%s)
  code=0
  # shellcheck disable=SC2016
  timeout -k 10 "${SECONDS_PER_VERB:-1800}" chroot "$1" /usr/bin/env -i \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    ${http_proxy:+"http_proxy=$http_proxy"} \
    /bin/sh -c 'cd "/root/a clone" && exec ./run "$1"' sh "$2" </dev/null || code=$?
  say "./run $2: exit $code after $(($(date +%s) - start)) s"
  return "$code"
}

if [ "${1:-}" = --in-namespaces ]; then # WORK VERB..
  work=$2
  shift 2
  make_root "$work/root" "$work/clone"
  failed=0
  for verb in "$@"; do
    run_verb "$work/root" "$verb" || failed=1
  done
  exit "$failed"
fi

skip() { say "skipped: $*"; exit 77; }

repository=${1:?usage: fresh_debian.sh REPOSITORY [VERB..]}
shift
[ $# -gt 0 ] || set -- demo test
[ "$(id -u)" -eq 0 ] || skip "needs root"
for tool in debootstrap git unshare setpriv; do
  command -v "$tool" >/dev/null || skip "needs $tool"
done
unshare --mount --pid --fork --mount-proc true 2>/dev/null || skip "needs namespaces"

work=$(mktemp -d)
child=
# shellcheck disable=SC2317 # the trap calls it
clean_up() {
  if [ -n "$child" ]; then
    kill -KILL "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
chmod 755 "$work" # apt's own user must reach its files

git clone -q --no-hardlinks "$repository" "$work/clone"
if [ ! -x "$work/clone/run" ]; then
  say "no ./run in the clone of $repository: is it committed?"
  exit 1
fi

# In the background, because a trap runs only once a foreground command has ended.
setpriv --pdeathsig KILL unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
  -- "$0" --in-namespaces "$work" "$@" &
child=$!
code=0
wait "$child" || code=$?
child=
exit "$code"
