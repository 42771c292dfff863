# Shared by the tests of serve --live. To be sourced after attach.sh.
serve_live() { # how to reach the node, options; $pid, $url
    rm -f url serve.err
    "$STROBE" serve "$@" --no-open > url 2> serve.err & pid=$!
    for _ in $(seq 3000); do
        [ -s url ] && return
        kill -0 $pid || break
        sleep 0.02
    done
    cat serve.err; return 1
}
recording() { # KEY [PROFILE]: what the server says of it
    local url
    url=$(cat url)
    curl -s -H "X-Strobe-Token: ${url##*token=}" "${url%%\?*}api/recording?format=json&profile=${2:-0}" |
        python3 -c "import json, sys; print(json.load(sys.stdin)['meta']['$1'])"
}
until_recording() { # KEY VALUE [PROFILE]
    for _ in $(seq 600); do
        [ "$(recording "$1" "${3:-0}")" = "$2" ] && return
        sleep 0.1
    done
    echo "$1 is $(recording "$1" "${3:-0}"), not $2"; cat serve.err; return 1
}
until_known() { # some of the recording: [PROFILE]
    for _ in $(seq 600); do
        [ "$(recording edition "${1:-0}")" != 0 ] && return
        sleep 0.1
    done
    cat serve.err; return 1
}
stop_serve() { kill -INT $pid; wait $pid; }
