#!/bin/bash
# Processes are scheduled out while binary:split/3 fills a fragment with its long result and their heaps are full. With
# the tuple of the switch in another fragment the VM would end ("no next heap size found").
STROBE=${STROBE:-$(cd "$(dirname "$0")/../.." && pwd)/build/strobe}
dir=$(mktemp -d) && cd "$dir" || exit 1
trap 'rm -rf "$dir"' EXIT
cat > split.erl <<'END'
-module(split).
-export([main/0]).
main() ->
    Text = iolist_to_binary([["line ", integer_to_list(I), " of the file\n"] || I <- lists:seq(1, 30000)]),
    [begin
         Split = fun() -> exit(length(binary:split(Text, [<<" ">>, <<"\n">>], [global, trim_all]))) end,
         {_, Ref} = spawn_monitor(Split),
         receive {'DOWN', Ref, _, _, Parts} -> 150000 = Parts end
     end || _ <- lists:seq(1, 4)],
    halt().
END
erlc split.erl
release=$(erl -noshell -eval 'io:put_chars(erlang:system_info(otp_release)), halt().')
if [ "$release" -ge 28 ]; then
    echo "ok full_heap: the VM survives # SKIP OTP $release has no look-up of processes"
elif "$STROBE" record --trace running,messages -o t.sbt -- erl -noshell -s split main >out.log 2>&1; then
    echo "ok full_heap: the VM survives"
else
    echo "not ok full_heap: the VM survives: $(head -n 5 out.log | tr '\n' ' ')"
fi
"$STROBE" dump t.sbt | awk '$4 ~ /^(in|out)$/ { all++; known += /mfa=/ }
    END { print (all > 500 && known * 100 >= all * 98 ? "ok" : "not ok") " full_heap: switches have their function"
          print "# " known + 0 " of " all + 0 }'
