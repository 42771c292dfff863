#!/bin/bash
# The Debian package: dpkg-buildpackage builds it from a clean tree, and it works in a chroot that has nothing else.
cd "$(dirname "$0")/../../.." || exit 1
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$dir"' EXIT
skip() { echo "ok debian: $1 # SKIP $2"; exit 0; }
check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >"$dir/out.log" 2>&1; then echo "ok debian: $name"
    else echo "not ok debian: $name: $(tail -n 3 "$dir/out.log" | tr '\n' ' ')"; fi
}
[ "$(id -u)" = 0 ] || skip "the package in a chroot" "a chroot needs root"
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$suite" ] || skip "the package in a chroot" "this is no release of Debian"

build() {
    mkdir "$dir/strobe" && git ls-files | tar cf - -T - | tar xf - -C "$dir/strobe" &&
        ln -s "$root/web/node_modules" "$dir/strobe/web/node_modules" &&
        (cd "$dir/strobe" && dpkg-buildpackage -b -us -uc)
}
check "dpkg-buildpackage" build
package=$(find "$dir" -maxdepth 1 -name 'strobe_*.deb')
[ -n "$package" ] || exit 1

chroot=$dir/chroot
debootstrap --variant=minbase "$suite" "$chroot" >"$dir/out.log" 2>&1 ||
    skip "the package in a chroot" "debootstrap: $(tail -n 1 "$dir/out.log")"
inside() { # a mount name space of its own: the mounts vanish with the command
    unshare --mount bash -c '
        mount --rbind /dev "$1/dev" && mount -t proc proc "$1/proc" && exec chroot "$@"' bash "$chroot" \
        /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
cp "$package" "$chroot/tmp/strobe.deb"
set_up() {
    inside apt-get update && inside apt-get install -y --no-install-recommends /tmp/strobe.deb
}
check "apt installs it with what it depends on" set_up
check "it starts" inside strobe version
check "erlang-base is enough to record" inside apt-get install -y --no-install-recommends erlang-base
record() {
    inside sh -c "cd /tmp && strobe record -o t.sbt -- erl -noshell -eval 'spawn(fun() -> ok end), halt().' &&
        strobe report t.sbt && strobe export t.sbt --to speedscope -o t.json &&
        strobe report t.sbt --format html > t.html" &&
        [ -s "$chroot/tmp/t.json" ] && grep -q '<html' "$chroot/tmp/t.html"
}
check "it records, reports and exports, with the page" record
files() { # man pages, completions
    inside dpkg -L strobe >"$dir/files" && grep -q '/man1/strobe-record.1.gz$' "$dir/files" &&
        grep -q '/bash-completion/completions/strobe$' "$dir/files" &&
        grep -q '/vendor-completions/_strobe$' "$dir/files"
}
check "man pages and completions are in it" files
gone() {
    inside apt-get remove -y strobe && [ -z "$(find "$chroot/usr" -name '*strobe*')" ]
}
check "removing it leaves nothing" gone
