# Sourced at the root of the tree by the tests that try strobe on releases of Debian; $area is the name of the test.
# `releases SUITE...` calls `try` with $suite set. `bare SUITE FOLDER` sets $chroot and fills it with what debootstrap
# installs; `inside COMMAND...` runs a command there. $dir is the folder for temporary files.
# STROBE_CHROOTS, if set, is a folder where the chroots that build stay for the next run.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$dir"' EXIT
builders=${STROBE_CHROOTS:-$dir}

skip() { echo "ok $area: $1 # SKIP $2"; }
check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >"$dir/out.log" 2>&1; then echo "ok $area: $suite: $name"
    else echo "not ok $area: $suite: $name: $(tail -n 5 "$dir/out.log" | tr '\n' ' ')"; return 1; fi
}
releases() {
    [ "$(id -u)" = 0 ] || { skip "Debian in a chroot" "a chroot needs root"; return; }
    command -v debootstrap >/dev/null || { skip "Debian in a chroot" "debootstrap is not installed"; return; }
    [ $# -gt 0 ] || set -- bookworm trixie sid
    for suite; do try; done
}

bare() { # SUITE FOLDER
    chroot=$2
    [ ! -e "$chroot/.ready" ] || return 0
    rm -rf --one-file-system "$chroot"
    mkdir -p "$chroot"
    debootstrap --variant=minbase "$1" "$chroot" >"$dir/out.log" 2>&1 || return 1
    # debootstrap writes no hosts; the mirror may be a snapshot; no service may start
    printf '127.0.0.1 localhost\n127.0.1.1 %s\n' "$(hostname)" > "$chroot/etc/hosts"
    echo 'Acquire::Check-Valid-Until "false";' > "$chroot/etc/apt/apt.conf.d/99snapshot"
    printf '#!/bin/sh\nexit 101\n' > "$chroot/usr/sbin/policy-rc.d"
    chmod +x "$chroot/usr/sbin/policy-rc.d"
    # the certificates that this machine was given, as for a proxy
    mkdir -p "$chroot/usr/local/share"
    [ ! -d /usr/local/share/ca-certificates ] || cp -r /usr/local/share/ca-certificates "$chroot/usr/local/share"
    touch "$chroot/.ready"
}

# Mounts and processes are in name spaces of the command's own, so they end with it. The root is a mount point there,
# without which the command could make no name space of mounts.
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        mount --bind "$1" "$1" && mount --rbind /dev "$1/dev" &&
            mount -t tmpfs tmpfs "$1/dev/shm" && mount -t proc proc "$1/proc" &&
            exec chroot "$@"' bash "$chroot" \
        /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
packages() { # installs these, and what they depend on
    inside apt-get update -qq && inside apt-get install -y --no-install-recommends "$@"
}
clone() { # what is committed of this tree, as /root/strobe
    rm -rf "$chroot/root/strobe" && git clone -q --no-hardlinks "$root" "$chroot/root/strobe" &&
        packages git make ca-certificates
}
