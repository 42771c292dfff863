#!/bin/bash
# Percept2's own case at its own size: 11,008,609 records.
DECODE_EVENTS=11008609 exec "$(dirname "$0")/../decode.sh"
