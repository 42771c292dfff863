#!/bin/bash
# 100 million calls.
CALLS_EVENTS=200000000 CALLS_RUNS=1 exec "$(dirname "$0")/../calls.sh"
