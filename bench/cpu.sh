#!/bin/bash
# How right samples of the CPU are and what they cost: shares of functions in a program that knows them, and by process;
# self shares beside those of perf record on the same run; CPU time of the node and the drain; bytes a sample.
# CPU_ROUNDS (9).
exec python3 "$(dirname "$0")/cpu.py"
