#!/bin/bash
# A user's first hour on each release: README's commands from a clean clone, make install, man, completions, the tests
# of a new Elixir project, and RabbitMQ by its own start script, recorded as root. All of it happens in a chroot of the
# release. test/cli/long/platforms.sh [SUITE...]; by default Debian 12, 13 and sid.
cd "$(dirname "$0")/../../.." || exit 1
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$dir"' EXIT
skip() { echo "ok platforms: $1 # SKIP $2"; }
[ "$(id -u)" = 0 ] || { skip "Debian in a chroot" "a chroot needs root"; exit; }
command -v debootstrap >/dev/null || { skip "Debian in a chroot" "debootstrap is not installed"; exit; }
. test/cli/lib/bare.sh
check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >"$dir/out.log" 2>&1; then echo "ok platforms: $suite: $name"
    else echo "not ok platforms: $suite: $name: $(tail -n 5 "$dir/out.log" | tr '\n' ' ')"; return 1; fi
}

clone() {
    rm -rf "$chroot/root/strobe" && git clone -q --no-hardlinks "$root" "$chroot/root/strobe" &&
        packages git make ca-certificates
}
demo() {
    inside sh -c 'cd /root/strobe && make demo' && [ -s "$chroot/root/strobe/build/demo/demo.html" ]
}
install() {
    inside make -C /root/strobe install && inside sh -c 'cd / && strobe version'
}
manual() {
    inside sh -c 'man strobe | grep -q record && man strobe-record | grep -q -- "--duration"'
}
completion() { # the tests of completions, with this release's shells
    inside env STROBE=/usr/local/bin/strobe /root/strobe/test/cli/completion.sh > "$dir/completion" &&
        [ "$(grep -c '^ok' "$dir/completion")" -gt 10 ] && ! grep '^not ok' "$dir/completion"
}
mix() {
    rm -rf "$chroot/root/shop"
    inside sh -c 'cd /root && mix new shop && cd shop && strobe record -o t.sbt -- mix test && strobe report t.sbt' \
        > "$dir/mix" && grep -Eq '[0-9] (passed|tests?, 0 failures)' "$dir/mix" && grep -q '^parallelism' "$dir/mix"
}
# Debian's rabbitmq-server becomes the user rabbitmq by su
rabbitmq() {
    cat > "$chroot/root/rabbit" <<'END'
cd /root && rm -f r.sbt
strobe record -o r.sbt -- rabbitmq-server &
recorder=$!
for i in $(seq 600); do
    grep -qs 'Server startup complete' /var/log/rabbitmq/*.log && break
    kill -0 $recorder || exit 1
    sleep 0.5
done
rabbitmqctl shutdown && wait $recorder
strobe report r.sbt processes --limit 0 | grep rabbit
END
    rm -f "$chroot"/var/log/rabbitmq/*
    inside sh /root/rabbit
}
try() {
    bare "$suite" "$builders/$suite-build" || { skip "$suite" "debootstrap: $(tail -n 1 "$dir/out.log")"; return; }
    check "a clean clone" clone && check "make demo" demo || return
    check "make install" install || return
    check "man, shells, Elixir and RabbitMQ can be had" packages man-db bash zsh fish elixir rabbitmq-server
    check "man strobe" manual
    check "completions of bash, zsh and fish" completion
    check "mix test of a new project" mix
    check "rabbitmq-server by its own script, as root" rabbitmq
}
[ $# -gt 0 ] || set -- bookworm trixie sid
for suite; do try; done
