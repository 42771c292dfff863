Two processes that write to ETS may wait for each other on more cores, also where few slices end in a write: a loop uses up its
time in other functions too. The time there is unknown, and the exposure is never low.
--- run
export XDG_CACHE_HOME=$PWD # no constants of this machine
# one slice in $1 ends in a write
trace() {
    echo "@meta node=a@h creation=1 recorded=procs,running,messages schedulers=1 schedulers_online=1 cores=1"
    awk -v each=$1 'BEGIN {
        for (i = 0; i < 400; i++)
            printf "%d <0.%d.0> s1 in mfa=shop:count/1\n%d <0.%d.0> s1 out mfa=%s\n", i * 100000, 20 + i % 2,
                i * 100000 + 99000, 20 + i % 2, int(i / 2) % each ? "shop:count/1" : "ets:update_counter/3"
    }'
}
for each in 5 25 200; do
    trace $each > T.txt
    rm -f T.sbp
    $STROBE query T.txt "SELECT cores, ns IS NULL AS unknown, exposure FROM forecast WHERE cores = 2" --format csv
done
--- out
cores,unknown,exposure
2,1,some
cores,unknown,exposure
2,1,some
cores,unknown,exposure
2,0,
