#!/bin/bash
# Both libraries of the node, built with sanitizers (`make asan`), in a real VM: terms of all kinds and shapes, right
# and wrong, through every way in. sanitized.sh [ESCRIPT...]: those tests of this folder as well.
root=$(cd "$(dirname "$0")/../.." && pwd)
here=$root/build-asan/in-vm
[ -e "$here/erlang/strobe/priv/strobe_nif.so" ] || { echo "ok sanitized # SKIP make asan"; exit; }
libs=$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
ln -sf "$root/build/strobe" "$here/strobe" # what a test asks about its traces: that it is sound is tested elsewhere
export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:use_sigaltstack=0:verify_asan_link_order=0:log_path=$dir/found \
    UBSAN_OPTIONS=print_stacktrace=1:log_path=$dir/found
under() { LD_PRELOAD=$libs STROBE=$here/strobe "$@"; }

under "$root/test/capture/lib/terms.escript" > said 2>&1
code=$?
grep -E '^(ok|not ok)' said
[ $code = 0 ] && grep -q '^ok' said || echo "not ok sanitized: terms: exit $code: $(tail -n 5 said | tr '\n' ' ')"
for t; do
    under "$root/test/capture/$t" > said 2>&1
    code=$?
    grep -E '^(ok|not ok)' said | sed 's/ok /ok sanitized: /'
    [ $code = 0 ] || echo "not ok sanitized: $t: exit $code: $(tail -n 5 said | tr '\n' ' ')"
done
if ls found* > /dev/null 2>&1; then echo "not ok sanitized: $(head -n 12 found* | tr '\n' ' ')"
else echo "ok sanitized: nothing found"; fi
