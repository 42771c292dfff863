#!/bin/bash
# What the account says of the CPU time by samples, for a program that does six kinds of work for half a second each.
root=$(cd "$(dirname "$0")/../.." && pwd)
STROBE=$(realpath "${STROBE:-$root/build/strobe}")
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
erlc "$root/test/why/programs/parts.erl" || exit 1
"$STROBE" record --report never --trace all,cpu -o p.sbt -- erl +S 1 -noshell -s parts main > said 2> log
if grep -q "no samples of the CPU" log; then echo "ok states # SKIP $(grep 'no samples' log)"; exit; fi
"$STROBE" report p.sbt why --limit 0 --format csv > why 2>> log
# Each is a sixth of the CPU time but for the start of the VM and what one kind of work has of another. The stacks of
# some functions of ETS end before a function with a name.
python3 - <<'END'
import csv, re
row = {r["part"]: r for r in csv.DictReader(open("why")) if r["part"].startswith("cpu_")}
def share(part):
    return float(re.search(r"([\d.]+) %", row[part]["what"]).group(1)) if part in row else 0
def check(what, ok, seen):
    print("ok states: " + what if ok else f"not ok states: {what}: {seen}")
seen = {part: share(part) for part in row}
for part in ("erlang", "bif", "nif", "gc", "send"):
    check(f"cpu_{part} is about a sixth", 11 < share("cpu_" + part) < 23, seen)
ets = share("cpu_ets")
check("so is cpu_ets, with what is unknown", ets > 4 and 11 < ets + share("cpu_unknown") < 23, seen)
check("together they are all", abs(sum(seen.values()) - 100) < 0.5, seen)
check("no share of them is one of the schedulers' time", all(r["share"] == "" for r in row.values()), row)
END

# Where the kernel takes no samples that is said, and copying costs at most the time in which messages were sent.
cpu() { # ERRNO: what record says
    python3 "$root/test/capture/lib/refused.py" "$1" "$STROBE" record --report never --trace all,cpu -o q.sbt -- \
        erl +S 1 -noshell -s parts main 2>&1 > /dev/null
}
check() { if [ "$2" = 1 ]; then echo "ok states: $1"; else echo "not ok states: $1: $3"; fi; }
said=$(cpu 1)
check "a filter of a container is named" "$(grep -c 'no samples of the CPU: .*seccomp' <<< "$said")" "$said"
check "there is no account of it" "$("$STROBE" report q.sbt why --limit 0 --format csv | grep -c cpu_ |
    grep -c '^0$')" why
gain=$("$STROBE" query q.sbt "SELECT gain_high_ns / 1000000 FROM finding WHERE rule = 'message_copying'" --format csv |
    sed -n 2p | tr -d '\r')
work=$("$STROBE" query q.sbt "SELECT sum(dur) / 1000000 FROM slice" --format csv | sed -n 2p | tr -d '\r')
check "copying costs no more than the sends" \
    "$([ -n "$gain" ] && [ "$gain" -lt $((work / 3)) ] && echo 1)" "$gain of $work ms"
