# Sourced by the tests that try strobe on releases of Debian. `bare SUITE FOLDER` sets $chroot and fills it with what
# debootstrap installs; `inside COMMAND...` runs a command there. $dir is the folder for temporary files.
# STROBE_CHROOTS, if set, is a folder where the chroots that build stay for the next run.
# shellcheck shell=bash
# shellcheck disable=SC2034
builders=${STROBE_CHROOTS:-$dir}

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

# Mounts and processes are in name spaces of the command's own, so they end with it.
inside() {
    unshare --mount --pid --fork --kill-child bash -c '
        mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" && mount -t proc proc "$1/proc" &&
            exec chroot "$@"' bash "$chroot" \
        /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
packages() { # installs these, and what they depend on
    inside apt-get update -qq && inside apt-get install -y --no-install-recommends "$@"
}
