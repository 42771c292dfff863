#!/bin/bash
# The main job on arm64: strobe is cross-compiled against a Debian root folder for arm64, and there, under qemu, it
# records, analyses and reports. The beams and the page are the same on every machine.
cd "$(dirname "$0")/../../.." || exit 1
root=$PWD
dir=$(mktemp -d) || exit 1
trap 'rm -rf --one-file-system "$dir"' EXIT
skip() { echo "ok arm64: build, record, analyse, report # SKIP $1"; exit 0; }
check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >"$dir/out.log" 2>&1; then echo "ok arm64: $name"
    else echo "not ok arm64: $name: $(tail -n 5 "$dir/out.log" | tr '\n' ' ')"; exit 1; fi
}
[ "$(id -u)" = 0 ] || skip "a root folder needs root"
command -v qemu-aarch64-static > /dev/null || skip "qemu is not installed: tools/deps long"
# OTP 27, since qemu cannot run the JIT of OTP 25, which maps its code twice
made=$(tools/arm64 trixie 2> "$dir/out.log") || skip "$(tail -n 1 "$dir/out.log")"
arm=$dir/arm64
cp -a "$made" "$arm"
foreign() { python3 "$root/test/capture/lib/foreign.py" "$arm" "$@"; }
foreign /usr/bin/true >"$dir/out.log" 2>&1
[ $? != 77 ] || skip "the kernel has no private binfmt_misc: $(tail -n 1 "$dir/out.log")"

cc="aarch64-linux-gnu-gcc --sysroot=$arm -L$arm/usr/lib/aarch64-linux-gnu"
build() {
    meson setup "$dir/build" --cross-file "$arm/cross.ini" && ninja --quiet -C "$dir/build" strobe strobe-drain &&
        make -C beam STRICT=1 CC="$cc" OUT="$dir/build/erlang/strobe" ERTS_INCLUDE="$arm/usr/lib/erlang/usr/include" &&
        mkdir -p "$arm/opt/strobe" && cp -r "$dir"/build/{strobe,strobe-drain,erlang} "$arm/opt/strobe"
}
# a thousand children receive one message and send one
cat > "$arm/tmp/children.erl" <<'END'
-module(children).
-export([main/0, child/0]).
main() ->
    [begin P = spawn(?MODULE, child, []), P ! {self(), I}, receive I -> ok end end || I <- lists:seq(1, 1000)],
    halt().
child() -> receive {From, I} -> From ! I end.
END
record() {
    cp "$dir/children.beam" "$arm/tmp"
    foreign sh -c 'cd /tmp && export ERL_FLAGS="+JMsingle true" &&
        strobe record -o t.sbt -- erl +S 2 -noshell -s children main' && [ -s "$arm/tmp/t.sbt" ] &&
        foreign strobe info /tmp/t.sbt | grep -q "^lost *nothing"
}
analyse() {
    local sql="SELECT count(*), sum(sends), sum(receives) FROM process WHERE entry = 'children:child/0'"
    foreign strobe analyze /tmp/t.sbt && [ "$(foreign strobe query /tmp/t.sbp "$sql" --format csv |
        tail -n 1 | tr -d '\r')" = 1000,1000,1000 ] || { foreign strobe query /tmp/t.sbp "$sql"; return 1; }
}
# the profile of a trace does not depend on the machine that analyses it
same() {
    build/strobe analyze "$arm/tmp/t.sbt" -o "$dir/here.sbp" && cmp "$dir/here.sbp" "$arm/tmp/t.sbp"
}
# Into files: a grep that ends early would kill strobe by SIGPIPE, at which qemu may wait forever.
report() {
    foreign strobe report /tmp/t.sbp >"$dir/report" && grep -q "^parallelism" "$dir/report" &&
        foreign strobe report /tmp/t.sbp --format html >"$dir/page" && grep -q "<html" "$dir/page"
}
# ---- attach from a machine of one architecture to a node on the other: the libraries for that come along
node=strobe_arm64_$$@127.0.0.1
cat > "$dir/echo.erl" <<'END'
-module(echo).
-export([start/0]).
start() -> P = spawn(fun() -> answer() end), spawn(fun() -> ask(P) end).
answer() -> receive {From, N} -> From ! N, answer() end.
ask(P) -> P ! {self(), 1}, receive 1 -> ok end, receive after 5 -> ask(P) end.
END
libraries() {
    mkdir "$dir/here" && cp -r build/{strobe,strobe-drain,erlang} "$dir/here" &&
        make -C beam libraries CROSS=aarch64-linux-gnu OUT="$dir/here/erlang/strobe" &&
        aarch64-linux-gnu-readelf -h "$dir"/here/erlang/strobe/priv/aarch64-linux-gnu/strobe_nif.so |
        grep -q AArch64 &&
        mkdir "$arm/opt/strobe/erlang/strobe/priv/x86_64-linux-gnu" &&
        cp build/erlang/strobe/priv/*.so "$arm/opt/strobe/erlang/strobe/priv/x86_64-linux-gnu"
}
attached() { # what runs the node, then what runs strobe, each up to a --
    local runs=() pid code
    while [ "$1" != -- ]; do runs+=("$1"); shift; done; shift
    epmd -daemon
    "${runs[@]}" erl +S 2 -noshell -name "$node" -setcookie c -pa /tmp "$dir" -s echo start \
        > "$dir/node.log" 2>&1 & pid=$!
    for _ in $(seq 600); do
        epmd -names | grep -q "${node%@*} " && kill -0 $pid && break
        sleep 0.1
    done
    RELEASE_COOKIE=c "$@" > "$dir/attach.log" 2>&1
    code=$?
    kill $pid; wait $pid 2> /dev/null
    cat "$dir/attach.log" "$dir/node.log"
    [ $code = 0 ] && grep -q "is as before" "$dir/attach.log" && ! grep -q "trace port" "$dir/attach.log"
}
sends() { build/strobe info --format json "$1" | grep -o '"send": *[0-9]*' | grep -o '[0-9]*$'; }
to_arm64() {
    cp "$dir/echo.beam" "$arm/tmp" &&
        attached foreign env "ERL_FLAGS=+JMsingle true" -- "$dir/here/strobe" attach "$node" -o "$dir/t.sbt" &&
        [ "$(sends "$dir/t.sbt")" -gt 100 ] && build/strobe info "$dir/t.sbt" | grep -q aarch64
}
from_arm64() {
    attached env -- foreign env RELEASE_COOKIE=c strobe attach "$node" -o /tmp/x.sbt &&
        [ "$(sends "$arm/tmp/x.sbt")" -gt 100 ]
}
check "the program, the drain and the tracer are built" build
check "a program compiles for the test" erlc -o "$dir" "$arm/tmp/children.erl"
check "record: nothing is lost" record
check "analyze and query: as many processes and messages as the program has" analyse
check "a profile has the bytes that another machine gives it" same
check "report" report
check "a program compiles for the nodes" erlc -o "$dir" "$dir/echo.erl"
check "the libraries for the other architecture are built" libraries
check "attach to a node on arm64: our tracer records there" to_arm64
[ "$(uname -m)" != x86_64 ] || check "attach from arm64 to a node of this machine" from_arm64
