#!/bin/bash
# Samples of the CPU: a program whose functions take known parts of the time, by process; what is left behind; what is
# said where nothing can be sampled.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
cat > parts.erl <<'END'
-module(parts).
-export([main/0, one/1, three/1, holds/1]).
main() ->
    Of = fun(F) -> element(2, spawn_monitor(fun() -> [?MODULE:F(N) || N <- lists:seq(1, 40)] end)) end,
    [receive {'DOWN', R, _, _, _} -> ok end || R <- [Of(one), Of(three), Of(holds)]].
one(_) -> loop_a(6000000).
three(_) -> loop_b(18000000).
holds(_) -> 1 + loop_c(6000000). % it stays on the stack, which no collection moves
loop_a(0) -> ok;
loop_a(N) -> loop_a(N - 1).
loop_b(0) -> ok;
loop_b(N) -> loop_b(N - 1).
loop_c(0) -> 0;
loop_c(N) -> loop_c(N - 1).
END
erlc parts.erl || exit 1
"$STROBE" record --report never --trace procs,running,gc,cpu -o p.sbt -- \
    erl +S 1 -noshell -eval 'parts:main(), halt().' 2> log
if grep -q "no samples of the CPU" log; then echo "ok cpu # SKIP $(grep 'no samples' log)"; exit; fi
ask() { "$STROBE" query p.sbt "$1" --format csv 2> /dev/null | sed 1d | tr -d '\r'; }
check() { if [ "$2" = 1 ]; then echo "ok cpu: $1"; else echo "not ok cpu: $1: $3"; fi; }

functions=$(ask "SELECT function, self FROM cpu_function LIMIT 12")
# the same loop at another place in memory may take 1.4 times as long
check "three times the work is three times the samples" \
    "$(ask "SELECT b.self BETWEEN 2 * a.self AND 4.5 * a.self FROM cpu_function a, cpu_function b WHERE
        a.function = 'parts:loop_a/1' AND b.function = 'parts:loop_b/1'")" "$functions"
check "a loop has its caller" \
    "$(ask "SELECT h.total >= 0.9 * c.total AND h.self < 0.1 * c.self FROM cpu_function c, cpu_function h WHERE
        c.function = 'parts:loop_c/1' AND h.function = 'parts:holds/1'")" "$functions"
check "each loop is of one process" \
    "$(ask "SELECT count(*) = 3 AND max(processes) = 1 FROM cpu_function WHERE function LIKE 'parts:loop%'")" \
    "$functions"
# a node that halts is not read once more
check "samples are CPU time" \
    "$(ask "SELECT abs(1e9 / 997 * count(*) / (SELECT sum(cpu_ns) FROM thread) - 1) < 0.1 FROM cpu_sample
        WHERE at <= (SELECT [end] FROM thread ORDER BY cpu_ns DESC LIMIT 1)")" \
    "$(ask "SELECT count(*) FROM cpu_sample") samples, $(ask "SELECT sum(cpu_ns) FROM thread") ns"
check "most are in processes" \
    "$(ask "SELECT avg(process IS NOT NULL) > 0.5 FROM cpu_sample")" \
    "$(ask "SELECT kind, count(*) FROM cpu_sample GROUP BY 1")"
pid=$("$STROBE" info --format json p.sbt | sed -n 's/.*"os_pid": *"*\([0-9]*\).*/\1/p' | head -n 1)
map=/tmp/perf-$pid.map
places=$(ask "SELECT place('parts:loop_a/1'), place('parts:loop_b/1')")
line() { echo "parts.erl:$(grep -n "^$1(" parts.erl | head -n 1 | cut -d: -f1)"; }
check "functions have the line of their source" "$(grep -c "^$(line loop_a),$(line loop_b)$" <<< "$places")" "$places"
check "the map of functions is removed" "$([ -n "$pid" ] && [ ! -e "$map" ] && echo 1)" "$map"

# `all` takes some without a flag, of a VM that works and lets others ask where functions are
cat > finds.erl <<'END'
-module(finds).
-export([main/0, packs/0, adds/2, matches/0]).
matches() ->
    T = ets:new(t, []),
    ets:insert(T, [{N, N rem 7, N} || N <- lists:seq(1, 5000)]),
    [ets:match_object(T, {'_', 10, '_'}) || _ <- lists:seq(1, 10000)].
packs() -> packs(30, << <<(erlang:phash2(N))>> || N <- lists:seq(1, 1000000) >>).
packs(0, _) -> ok;
packs(N, Data) -> zlib:compress(Data), packs(N - 1, Data).
adds(0, _) -> ok;
adds(N, P) -> far(P, {1.5, N}), adds(N - 1, P).
far({A, B}, {C, D}) -> (A - C) * (A - C) + (B - D) * (B - D).
main() -> finds(60000, [{N, N} || N <- lists:seq(1, 20000)], 0).
finds(0, _, Sum) -> Sum;
finds(N, L, Sum) -> {_, V} = lists:keyfind(N rem 20000 + 1, 1, L), finds(N - 1, L, Sum + V).
END
erlc finds.erl || exit 1
cp p.sbt q.sbt && rm -f p.sb[^t]*
"$STROBE" record --report never -o p.sbt -- erl +S 1 -noshell -eval '
    parts:main(), finds:main(), finds:packs(), finds:adds(15000000, {0.5, 2.5}),
    {ok, Flags} = file:read_file("/proc/self/cmdline"),
    io:put_chars([binary:replace(Flags, <<0>>, <<" ">>, [global]), "\n"]), halt().' > said 2> log
release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
vm=$(erl -noshell -eval 'io:put_chars(filename:join([
    code:root_dir(), "erts-" ++ erlang:system_info(version), "bin", "beam.smp"])), halt().')
if [ "$release" = 29 ] || grep -q erts_find_function_from_pc "$(realpath "$vm")"; then
    functions=$(ask "SELECT function, self, total FROM cpu_function WHERE total > 5 ORDER BY total DESC")
    check "all takes samples, with callers" \
        "$(ask "SELECT h.total > 4 AND h.total >= 0.6 * c.total FROM cpu_function c, cpu_function h WHERE
            c.function = 'parts:loop_c/1' AND h.function = 'parts:holds/1'")" "$functions"
    # functions of the VM have no names from OTP 29 on
    named=beam.smp:lists_keyfind_3 count=total
    [ "$release" = 29 ] && named=beam.smp count=self
    check "and names a built-in function that goes on to one without a name" \
        "$(ask "SELECT b.$count > 10 AND h.total >= 0.5 * b.$count FROM cpu_function b,
            cpu_function h WHERE b.function = '$named' AND h.function = 'finds:finds/3'")" "$functions"
    # a NIF is called where the VM keeps the place of an earlier call
    [ "$release" = 29 ] || check "and gives a NIF no wrong caller" \
        "$(ask "SELECT n.total > 20 AND ifnull(e.total, 0) < 0.2 * n.total FROM cpu_function n LEFT JOIN cpu_function e
            ON e.function = 'beam.smp:iolist_to_iovec_1' WHERE n.function = 'beam.smp:beam_jit_call_nif'")" "$functions"
    check "but has its name" \
        "$(ask "SELECT total > 10 FROM cpu_function WHERE function = 'zlib:deflate_nif/4'")" "$functions"
    # code that functions share, as of operators, has a caller until it runs C
    callers=$(ask "SELECT k.function, c.function, count(*) FROM cpu_sample s JOIN cpu_stack k ON k.id = s.stack JOIN
        cpu_stack c ON c.id = k.caller WHERE k.function LIKE 'beam.smp:erts_mixed_%' OR k.function LIKE 'global::%'
        GROUP BY 1, 2")
    [ "$(uname -m)" != x86_64 ] || check "and the right caller of some operators" \
        "$(grep -q ',finds:far/2,' <<< "$callers" && ! grep -q ',finds:adds/2,' <<< "$callers" && echo 1)" "$callers"
    "$STROBE" report p.sbt > report 2>> log
    check "the summary says which functions took the CPU" \
        "$(grep -c '^CPU by function .*parts:loop_b/1' report)" "$(cat report)"
    # a function that the VM enters again has no name where it is exported by none, and stands before one that has
    rm -f p.sb*
    "$STROBE" record --report never -o p.sbt -- erl +S 1 -noshell -eval 'finds:matches(), halt().' 2>> log
    "$STROBE" report p.sbt cpu > report 2>> log
    [ "$release" = 29 ] || check "and what a function without a name is for" \
        "$(tr '\n' ' ' < report | grep -cE 'ETS for [^,]* [6-9][0-9] %')" "$(cat report)"
else
    check "all takes no samples where functions are unknown" \
        "$(ask "SELECT count(*) = 0 FROM cpu_sample")" "$(cat log)"
fi
if [ "$release" = 29 ]; then # whose VM writes a map for them, and for nobody else
    check "by a map without frame pointers" "$(grep -c 'JPperf map -JPperf no_fp' said)" "$(cat said log)"
else
    check "and adds no flag to the VM" "$(grep -q noshell said && ! grep -q JPperf said && echo 1)" "$(cat said log)"
fi
rm -f p.sb*
# On a busy machine the start alone may take more than the 0.25 s of CPU time that come before the first sample.
"$STROBE" record --report never -o p.sbt -- bash -c 'erl +S 1 -noshell -s init stop; times > times' 2> log
cpu=$(awk -F'[ms ]+' 'NR == 2 { print 60 * $1 + $2 + 60 * $3 + $4 }' times)
check "a VM that only starts has none" "$(ask "SELECT count(*) <= max(0, $cpu - 0.25) * 2 * 97 FROM cpu_sample")" \
    "$cpu s; $(cat log)"
pid=$("$STROBE" info --format json p.sbt | sed -n 's/.*"os_pid": *"*\([0-9]*\).*/\1/p' | head -n 1)
check "and leaves no map" "$([ -n "$pid" ] && [ ! -e "/tmp/perf-$pid.map" ] && echo 1)" "$(ls /tmp/perf-*)"
mv q.sbt p.sbt

"$STROBE" flame -o f.html -- erl +S 1 -noshell -eval 'parts:main(), halt(3).' > said 2> log
check "flame exits as the command does" "$([ $? = 3 ] && echo 1)" "$(cat log)"
check "and prints the hottest function first" "$(sed -n 4p said | grep -c 'parts:loop_b/1')" "$(cat said)"
check "and writes a page" "$(grep -c '<html' f.html)" "$(ls)"
"$STROBE" flame -o g.html -- true > said 2> log
check "without a VM it says so" "$([ $? = 125 ] && grep -c 'no Erlang VM was recorded' log)" "$(cat log)"
check "and leaves nothing" "$([ ! -e g.html ] && echo 1)" "$(ls)"

# a node that runs already
node() { # OPTIONS...: starts one, and sets vm; what the node before it said is removed
    rm -f up
    erl "$@" -sname "cpu$$" -noshell > up 2> /dev/null &
    vm=$!
    until grep -qs up up || ! kill -0 $vm 2> /dev/null; do sleep 0.1; done
}
node +JPperf map -eval 'io:put_chars("up\n"), F = fun F() -> parts:one(1), F() end, F().'
"$STROBE" flame "$vm" --duration 2s -o n.html > said 2> log
check "a node is sampled" "$(sed -n 3,5p said | grep -c 'parts:loop_a/1')" "$(cat said log)"
check "and keeps its map" "$([ -e "/tmp/perf-$vm.map" ] && echo 1)" "$(ls /tmp/perf-*)"
kill -KILL "$vm"; wait "$vm" 2> /dev/null; rm -f "/tmp/perf-$vm.map"
# without the flag the VM itself says where functions are, if it lets others ask
cat > calls.erl <<'END'
-module(calls).
-export([main/0, reloads/0]).
main() ->
    [spawn(fun() -> repeat(F) end) || F <- [fun() -> outer(), hashes(1000) end, fun ?MODULE:reloads/0]],
    io:put_chars("up\n"),
    receive stop -> ok end.
repeat(F) -> F(), repeat(F).
outer() -> 1 + length(middle(9000000)).
middle(N) -> [loop(N) | loop(0)].
loop(0) -> [];
loop(N) -> loop(N - 1).
hashes(0) -> 0;
hashes(N) -> 1 + hashes(N - 1) + erlang:phash2(lists:duplicate(1000, a)).
%% other code at each look at the functions
reloads() ->
    code:purge(late),
    {module, late} = code:load_file(late),
    late:main(erlang:monotonic_time(millisecond) + 2500).
END
cat > late.erl <<'END'
-module(late).
-export([main/1]).
main(End) -> main(loop(100000), End).
main(ok, End) -> erlang:monotonic_time(millisecond) > End orelse main(End).
loop(0) -> ok;
loop(N) -> loop(N - 1).
END
erlc calls.erl late.erl || exit 1
node +S 1 -s calls main
"$STROBE" attach "$vm" --duration 4s --trace running,cpu --rate 997 -o p.sbt > said 2>&1
if grep -q erts_find_function_from_pc "/proc/$vm/exe"; then
    functions=$(ask "SELECT function, self, total FROM cpu_function LIMIT 8")
    functions=$(ask "SELECT function, self, total FROM cpu_function WHERE total > 20 ORDER BY total DESC")
    check "a node without a map has functions with all their callers" \
        "$(ask "SELECT count(*) = 3 AND min(total) > 100 AND min(total) > 0.9 * max(total) AND r > 1.2 * max(total)
            FROM cpu_function, (SELECT total AS r FROM cpu_function WHERE function = 'calls:repeat/1')
            WHERE function IN ('calls:loop/1', 'calls:middle/1', 'calls:outer/0')")" "$functions"
    check "built-in functions with the one that calls them" \
        "$(ask "SELECT b.total > 100 AND h.total >= 0.9 * b.total FROM cpu_function b, cpu_function h
            WHERE b.function LIKE '%phash2%' AND h.function = 'calls:hashes/1'")" "$functions"
    check "and code that was loaded meanwhile" \
        "$(ask "SELECT total > 100 FROM cpu_function WHERE function = 'late:loop/1'")" "$functions"
else
    check "a node without a map is told the flag" "$(grep -c 'JPperf map' said)" "$(cat said)"
fi
check "and nothing is left" "$(grep -c 'is as before' said)" "$(cat said)"
kill -KILL "$vm"; wait "$vm" 2> /dev/null
"$STROBE" flame erl -noshell > said 2> log
check "a command without -- is no node" "$(grep -c 'follows --\|unknown option' log)" "$(cat log)"
