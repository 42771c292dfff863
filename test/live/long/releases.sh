#!/bin/bash
# Attaching to nodes of other OTP releases, which run in their own chroots.
. "$(dirname "$0")/../lib/attach.sh"
start_in() { # SUITE
    rm -f pid said ask
    (cd "$root" && exec tools/otp-chroot "$1" sh -c "cd $dir && erlc /strobe/test/live/lib/subject.erl &&
        exec erl -noshell -sname $node -setcookie cookie_of_$node -pa . -s subject start") > node.log 2>&1 & chroot=$!
    for _ in $(seq 3000); do
        [ -s pid ] && vm=$(cat pid) && wait_for_answer count && return
        kill -0 $chroot 2>/dev/null || { wait $chroot; return $?; }
        sleep 0.02
    done
    return 1
}
recorded() {
    attach --duration 300ms --trace all,calls,sample --module subject || { cat attach.err; return 1; }
    [ "$(events t.sbt send)" -gt 20 ] && [ "$(events t.sbt call)" -ge 1 ] && left_nothing
}
killed_inside() {
    begin_attach && [ "$(ask "kill $1")" = 1 ] && ! wait $pid && left_nothing
}
for suite in trixie forky; do
    start_in $suite
    case $? in
    0) ;;
    77) echo "ok attach: a node of $suite # SKIP $(tail -n 1 node.log)"; continue ;;
    *) echo "not ok attach: a node of $suite starts: $(tail -n 2 node.log | tr '\n' ' ')"; continue ;;
    esac
    before=$(ask state)
    check "$suite: a node is recorded, and left as it was" recorded
    check "$suite: the session is killed" killed_inside session
    check "$suite: what cleans up is killed" killed_inside keeper
    check "$suite: strobe is killed at any moment" killed_attaches 10
    check "$suite: twenty times" again_and_again 20
    kill -9 "$vm"; wait $chroot 2>/dev/null; vm=
done
