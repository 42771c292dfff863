#!/bin/sh
# The page's logic: types, and the tests of web/test.
cd "$(dirname "$0")/../../web" || exit 1
../tools/packages web || exit 1
if out=$(node_modules/.bin/tsc --noEmit 2>&1); then echo "ok page: types"; else echo "not ok page: types"
echo "$out" | head -20; fi
out=$(node_modules/.bin/vitest run --reporter=tap-flat 2>&1)
status=$?
out=$(echo "$out" | sed -nE 's/^(ok|not ok) [0-9]+ - test.[a-z]+.test.ts > (.*) # time.*/\1 page: \2/p
    s/^not ok [0-9]+ - (test.[a-z]+.test.ts) #.*/not ok page: \1 loads/p')
echo "$out"
if [ $status != 0 ] && ! echo "$out" | grep -q '^not ok'; then echo "not ok page: vitest ended with $status"; fi
