#!/bin/bash
# What attach, top and a flight recorder cost a busy node: latency of its requests, CPU time, and the start, beside a
# tracer process; and CPU time per event of our tracer and of OTP's ip port, which attach falls back to.
# ATTACH_ROUNDS (15); ATTACH_RATE (400 requests/s; 0: as many as keep half of the cores busy).
exec python3 "$(dirname "$0")/attach.py"
