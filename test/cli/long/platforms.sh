#!/bin/bash
# A user's first hour on each release: README's commands from a clean clone, another compiler, make install, man,
# completions, the tests of a new Elixir project, and RabbitMQ by its own start script, recorded as root. All of it
# happens in a chroot of the release. test/cli/long/platforms.sh [--check] [SUITE...]; by default Debian 12, 13 and sid.
# --check: also all of make check, which takes an hour for each.
cd "$(dirname "$0")/../../.." || exit 1
area=platforms
. test/cli/lib/bare.sh

demo() {
    inside sh -c 'cd /root/strobe && make demo' && [ -s "$chroot/root/strobe/build/demo/demo.html" ]
}
clang() { # warnings are errors
    packages clang libclang-rt-dev && inside sh -c 'cd /root/strobe && make asan'
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
checked() { # the log stays beside the chroot
    inside sh -c 'cd /root/strobe && make check' > "$chroot.check" 2>&1 ||
        { grep '^not ok' "$chroot.check"; tail -n 1 "$chroot.check"; return 1; }
}
try() {
    bare "$suite" "$builders/$suite-build" || { skip "$suite" "debootstrap: $(tail -n 1 "$dir/out.log")"; return; }
    check "a clean clone" clone && check "make demo" demo || return
    check "clang has no warning" clang
    check "make install" install || return
    check "man, shells, Elixir and RabbitMQ can be had" packages man-db bash zsh fish elixir rabbitmq-server
    check "man strobe" manual
    check "completions of bash, zsh and fish" completion
    check "mix test of a new project" mix
    check "rabbitmq-server by its own script, as root" rabbitmq
    [ -z "$all" ] || check "make check" checked
}
all=
[ "${1:-}" != --check ] || { all=yes; shift; }
releases "$@"
