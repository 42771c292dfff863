#!/bin/sh
# Builds each test/fuzz/NAME.c as build-asan/fuzz_NAME: libFuzzer with the address and undefined-behaviour sanitizers.
# test/fuzz/build.sh plain builds them without the sanitizers, in build-fuzz.
set -eu
cd "$(dirname "$0")/../.."
[ "${1:-}" = plain ] || exec make asan
CC=clang tools/configure build-fuzz -Dfuzz=true -Db_lundef=false
ninja -C build-fuzz --quiet fuzz
