#!/bin/sh
# Builds each test/fuzz/NAME.c as build-fuzz/fuzz_NAME: libFuzzer with the address and undefined-behaviour sanitizers.
set -eu
cd "$(dirname "$0")/../.."
CC=clang tools/configure build-fuzz -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
# shellcheck disable=SC2046
ninja -C build-fuzz --quiet $(tools/sources test/fuzz | sed 's|.*/\(.*\)\.c|fuzz_\1|')
