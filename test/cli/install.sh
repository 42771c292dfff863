#!/bin/bash
# make install: what is installed works without the source tree, and make uninstall removes all of it.
root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT

check() { # NAME, then a command that must succeed
    name=$1; shift
    if "$@" >out.log 2>&1; then echo "ok install: $name"
    else echo "not ok install: $name: $(tail -n 3 out.log | tr '\n' ' ')"; fi
}
there() {
    PREFIX=/opt/strobe DESTDIR=$dir/stage "$root/tools/install" "$root/build" > said && mv stage/opt/strobe moved &&
        grep -q "^installed strobe .* into $dir/stage/opt/strobe: bin/strobe" said &&
        grep -q "^/opt/strobe/bin is not in PATH" said
}
check "into DESTDIR, from which it can be moved; it says what is where" there
path=$PATH PATH=$dir/moved/bin:$PATH
records() {
    strobe record -o t.sbt -- erl -noshell -eval 'spawn(fun() -> ok end), halt().' &&
        strobe report t.sbt > report.txt && grep -q '^parallelism ' report.txt
}
check "records and reports" records
shell() { # the node finds the program by the place of the OTP application
    env PATH="$path" erl -noshell -pa moved/lib/strobe/erlang/strobe/ebin -eval \
        '{ok, P} = strobe_program:find(), io:put_chars([P, "\n"]), halt().' > found &&
        [ "$(realpath "$(cat found)")" = "$(realpath moved/lib/strobe/strobe)" ]
}
check "a node with the OTP application finds the program" shell
pages() {
    for page in moved/share/man/man1/*.1; do
        warnings=$(LC_ALL=C.UTF-8 MANROFFSEQ='' man --warnings -l "$page" 2>&1 >text)
        [ -z "$warnings" ] || { echo "$page: $warnings"; return 1; }
        grep -q "^SYNOPSIS" text || { echo "$page has no synopsis"; return 1; }
    done
    [ "$(find moved/share/man/man1 -name '*.1' | wc -l)" -eq $((1 + $(strobe help | grep -c '^  [a-z]'))) ] &&
        LC_ALL=C.UTF-8 MANPATH=$dir/moved/share/man man strobe-record >text &&
        grep -q -- '--duration T' text
}
check "a man page for each command, without warnings" pages
check "completions" test -s moved/share/bash-completion/completions/strobe \
    -a -s moved/share/zsh/site-functions/_strobe \
    -a -s moved/share/fish/vendor_completions.d/strobe.fish
check "again over itself" env PREFIX="$dir/moved" "$root/tools/install" "$root/build"
gone() {
    touch moved/lib/other
    PREFIX=$dir/moved "$root/tools/install" --remove &&
        [ "$(find moved | tr '\n' ' ')" = "moved moved/lib moved/lib/other " ]
}
check "uninstall leaves nothing, but what is not its own" gone
kept() {
    mkdir -p mine/share/man && PREFIX=$dir/mine "$root/tools/install" "$root/build" &&
        PREFIX=$dir/mine "$root/tools/install" --remove &&
        [ "$(find mine | sort | tr '\n' ' ')" = "mine mine/share mine/share/man " ]
}
check "uninstall leaves empty folders that it did not make" kept
licences() {
    "$root/build/strobe" version --licenses > shown && cmp shown "$root/NOTICE" &&
        grep -q "SIL OPEN FONT LICENSE" shown && grep -q "Jason Miller" shown && grep -q "Chris Pettitt" shown
}
check "the program shows the licences of what it contains" licences
