#!/bin/bash
# The 11,008,609 messages of Percept2's paper.
exec env ENGINE_EVENTS="${ENGINE_EVENTS:-11008609}" "$(dirname "$0")/../engine.sh"
