#!/bin/sh
# The node killed fifty times.
exec "$(dirname "$0")/../kill.sh" 50
