#!/bin/bash
# The table of preloaded modules holds every function that waits in those of this machine's OTP.
cd "$(dirname "$0")/../.." || exit 1
if why=$(tools/preloaded --check 2>&1); then echo "ok every preloaded function that waits is known"
else echo "not ok every preloaded function that waits is known: $why"; fi
