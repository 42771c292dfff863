#!/bin/sh
# The page's logic: types, and the tests of web/test.
cd "$(dirname "$0")/../../web" || exit 1
../tools/packages web || exit 1
if out=$(node_modules/.bin/tsc --noEmit 2>&1); then echo "ok page: types"; else echo "not ok page: types"
echo "$out" | head -20; fi
node_modules/.bin/vitest run --reporter=tap-flat 2>&1 |
    sed -nE 's/^(ok|not ok) [0-9]+ - test.[a-z]+.test.ts > (.*) # time.*/\1 page: \2/p'
