#!/bin/bash
# As test/live/attach.sh, for longer: many kills at random moments, and many attaches one after another.
. "$(dirname "$0")/../lib/attach.sh"
start_node -pa . -s subject start || { echo "not ok attach: a node starts: $(cat node.log)"; exit; }
before=$(ask state)
check "strobe is killed fifty times" killed_attaches 50
check "two hundred times" again_and_again 200
