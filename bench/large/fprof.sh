#!/bin/bash
# The comparison with fprof on a large trace: the compilation of stdlib's queue module, 5.3 million events.
FPROF_MODULE=queue FPROF_RUNS=${FPROF_RUNS:-5} exec "$(dirname "$0")/../fprof.sh"
