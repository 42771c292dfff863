#!/bin/bash
# The Debian package of each release: dpkg-buildpackage makes it from the archive of sources, without npm and network,
# lintian has nothing to say, the package works in a chroot that has nothing else, and a purge leaves nothing.
# test/cli/long/debian.sh [SUITE...]; by default Debian 12, 13 and sid.
cd "$(dirname "$0")/../../.." || exit 1
area=debian
. test/cli/lib/bare.sh

build() {
    rm -rf "$chroot"/root/strobe* && tools/dist --sources "$chroot/root" &&
        tar -xzf "$chroot"/root/strobe-*.tar.gz -C "$chroot/root" &&
        mv "$chroot"/root/strobe-*/ "$chroot/root/strobe" &&
        packages build-essential lintian && inside apt-get build-dep -y --no-install-recommends /root/strobe &&
        inside unshare --net sh -c 'cd /root/strobe && dpkg-buildpackage -us -uc' &&
        cp "$chroot"/root/strobe_*.deb "$dir/strobe.deb"
}
faults() { # errors and warnings of lintian
    inside sh -c 'lintian /root/strobe_*.changes' > "$dir/lintian"
    ! grep '^[EW]: ' "$dir/lintian"
}
left() { # files and folders with our name
    inside find /usr /etc /var /opt /run /dev/shm -name '*strobe*' ! -path '/var/cache/apt/*'
}
set_up() {
    cp "$dir/strobe.deb" "$chroot/tmp/strobe.deb" && packages /tmp/strobe.deb
}
record() {
    inside sh -c "cd /tmp && strobe record -o t.sbt -- erl -noshell -eval 'spawn(fun() -> ok end), halt().' &&
        strobe report t.sbt && strobe export t.sbt --to speedscope -o t.json &&
        strobe report t.sbt --format html > t.html" &&
        [ -s "$chroot/tmp/t.json" ] && grep -q '<html' "$chroot/tmp/t.html"
}
files() { # man pages, completions
    inside dpkg -L strobe >"$dir/files" && grep -q '/man1/strobe-record.1.gz$' "$dir/files" &&
        grep -q '/bash-completion/completions/strobe$' "$dir/files" &&
        grep -q '/vendor-completions/_strobe$' "$dir/files"
}
removed() { inside apt-get remove -y strobe && none_left; }
purged() { inside apt-get purge -y strobe && none_left && ! inside dpkg-query -W strobe; }
none_left() {
    left > "$dir/left"
    [ ! -s "$dir/left" ] || { cat "$dir/left"; return 1; }
}
try() {
    bare "$suite" "$builders/$suite-build" || { skip "$suite" "debootstrap: $(tail -n 1 "$dir/out.log")"; return; }
    check "dpkg-buildpackage" build || return
    [ "$suite" != bookworm ] || check "lintian has no errors and warnings" faults # a newer one knows newer rules
    bare "$suite" "$dir/$suite-user" || { skip "$suite" "debootstrap: $(tail -n 1 "$dir/out.log")"; return; }
    check "nothing of strobe is there before" none_left
    check "apt installs it with what it depends on" set_up || return
    check "it starts" inside strobe version
    check "erlang-base is enough to record" packages erlang-base
    check "it records, reports and exports, with the page" record
    check "man pages and completions are in it" files
    check "removing it leaves no file" removed
    check "apt installs it again" set_up
    check "purging it leaves nothing" purged
    rm -rf --one-file-system "$chroot"
}
releases "$@"
