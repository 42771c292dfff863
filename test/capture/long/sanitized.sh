#!/bin/sh
# The captures within one node, all with sanitizers.
exec "$(dirname "$0")/../sanitized.sh" session.escript filter.escript samples.escript spawn.escript
