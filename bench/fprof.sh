#!/bin/bash
# fprof's profile and analyse of real traces, beside strobe fprof of the same files on one thread and on two.
# FPROF_MODULE (random): the OTP module whose compilation is traced; FPROF_RUNS (3). bench/large takes queue: 690 MB.
exec python3 "$(dirname "$0")/fprof.py"
