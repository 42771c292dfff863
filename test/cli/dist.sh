#!/bin/bash
# The binary archive that `make dist` would make of this build: unpacked elsewhere it records and reports without the
# source tree, it needs glibc alone, and its list of contents is true.
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >"$dir/out.log" 2>&1; then echo "ok dist: $name"
    else echo "not ok dist: $name: $(tail -n 3 "$dir/out.log" | tr '\n' ' ')"; fi
}
unpacks() {
    mkdir made elsewhere && "$root/tools/dist" --pack "$root/build" made && tar -xzf made/*.tar.gz -C elsewhere &&
        cd elsewhere/strobe-*-linux-"$(uname -m)" && bin/strobe version | grep -q "^strobe [0-9]"
}
check "it is made, and unpacked it starts" unpacks
cd "$dir"/elsewhere/* || exit
bare() { env -i HOME="$dir" PATH="$(dirname "$(command -v erl)"):/usr/bin:/bin" "$@"; }
records() {
    bare bin/strobe record -o "$dir/t.sbt" -- erl -noshell -eval \
        'io:put_chars(code:which(strobe_boot)), spawn(fun() -> ok end), halt().' > "$dir/where" &&
        grep -q "^$PWD/lib/strobe/erlang/strobe/ebin/" "$dir/where" &&
        bare bin/strobe report "$dir/t.sbt" > "$dir/report" && grep -q '^parallelism ' "$dir/report"
}
check "it records with its own application, and reports" records
page() {
    bare bin/strobe report "$dir/t.sbt" --format html > "$dir/page.html" && grep -q '<html' "$dir/page.html"
}
check "the page is in it" page
programs() { find . -type f \( -path './lib/strobe/strobe*' -o -name '*.so' \) | sort; }
needs() {
    [ "$(programs | wc -l)" -eq 4 ] &&
        programs | xargs objdump -p | sed -n 's/^ *NEEDED *//p' | grep -vE '^(lib[cm]\.so|ld-linux)' > "$dir/needs"
    [ ! -s "$dir/needs" ] || { sort -u "$dir/needs"; return 1; }
}
check "its programs need glibc alone" needs
contents() {
    python3 - <<'END'
import hashlib, json, os
doc = json.load(open("share/doc/strobe/strobe.spdx.json"))
listed = {f["fileName"]: f["checksums"][1]["checksumValue"] for f in doc["files"]}
there = {os.path.join(at, n) for at, _, names in os.walk(".") for n in names} - {"./share/doc/strobe/strobe.spdx.json"}
there = {f for f in there if not os.path.islink(f)}
assert set(listed) == there, set(listed) ^ there
wrong = [f for f in there if hashlib.sha256(open(f, "rb").read()).hexdigest() != listed[f]]
assert not wrong, wrong
name = {p["SPDXID"]: p["name"] for p in doc["packages"]}
linked = {name[r["relatedSpdxElement"]] for r in doc["relationships"] if r["relationshipType"] == "STATIC_LINK"}
assert len(linked) >= 8, linked
assert all(os.path.getsize("share/doc/strobe/licenses/" + n) for n in linked)
assert {"preact", "@dagrejs/dagre"} <= set(name.values()), name
END
}
check "its list of contents names each file, library and licence" contents
check "man pages and completions" test -s share/man/man1/strobe-record.1 -a -s share/doc/strobe/NOTICE \
    -a -s share/doc/strobe/LICENSE -a -s share/bash-completion/completions/strobe
