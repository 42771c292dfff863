#!/bin/bash
# What `go tool pprof` says of a pprof export: totals, names and labels must be ours.
. "$(dirname "$0")/lib.sh"
go=$(command -v go || ls /usr/lib/go-*/bin/go 2>/dev/null | tail -1)
[ -n "$go" ] || { echo "ok pprof # SKIP no go"; exit 0; }
export HOME=$dir GOFLAGS=-mod=mod GOTOOLCHAIN=local
pprof() { "$go" tool pprof "$@" 2>/dev/null; }
total() { pprof -top -unit="$2" -sample_index="$1" "${3:-t.pb.gz}" | sed -n 's/.* of \([0-9]*\).* total.*/\1/p' |
    head -1; }

synth t.sbp 1000
strobe export t.sbp --to pprof >/dev/null
equal "wall of all processes" "$(total wall ns)" "$(known own_ns)"
equal "calls" "$(total calls count)" "$(known calls)"
equal "gc" "$(total gc ns)" "$(known call_gc_ns)"
equal "messages" "$(total messages count)" "$(known messages)"
equal "words of messages" "$(total message_words count)" "$(known words)"
pprof -raw t.pb.gz > raw.txt # -top leaves out what looks like a C++ template
for name in "'a;b':'c d'/1" '<T>&"q".run/0' "mod:'日本語 größe'/2" "garbage_collect"; do
    contains "$name" raw.txt "$name"
done
pprof -tags t.pb.gz > tags.txt
for tag in node process type to; do contains "label $tag" tags.txt " $tag: "; done
strobe export t.sbp --to pprof --what slices -o s.pb.gz
equal "stays and waits" "$(total wall ns s.pb.gz)" "$(($(known slice_ns) + $(known wait_ns)))"
equal "on a scheduler" "$(total cpu ns s.pb.gz)" "$(known slice_ns)"
pprof -tags s.pb.gz > tags.txt
contains "label scheduler" tags.txt "scheduler 2"
gzip -dc t.pb.gz | protoc --decode_raw >/dev/null; equal "protoc reads it" $? 0
synth none.sbp 0
strobe export none.sbp --to pprof >/dev/null
pprof -raw none.pb.gz > raw.txt; equal "an empty profile is valid" $? 0
contains "an empty profile has its types" raw.txt "wall/nanoseconds"
