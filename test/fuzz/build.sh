#!/bin/sh
# Builds each test/fuzz/NAME.c as build-fuzz/fuzz_NAME: libFuzzer with the address and undefined-behaviour sanitizers.
# test/fuzz/build.sh plain builds them without the sanitizers, in build-fuzz-plain.
set -eu
cd "$(dirname "$0")/../.."
build=build-fuzz sanitize=address,undefined
[ "${1:-}" != plain ] || build=build-fuzz-plain sanitize=none
CC=clang tools/configure $build -Dfuzz=true -Db_sanitize=$sanitize -Db_lundef=false
# shellcheck disable=SC2046
ninja -C $build --quiet $(tools/sources test/fuzz | sed 's|.*/\(.*\)\.c|fuzz_\1|')
