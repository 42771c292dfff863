A process that has many modules compiled is named, with the time until they are loaded; compiling files is a build.
--- run
run() { # what the compiler starts for each module, entry of the process that asks for it
    echo "@meta node=a@h creation=1 schedulers=2 recorded=procs,running,messages"
    echo "0 <0.9.0> s1 spawned parent=<0.1.0> mfa=$2"
    echo "1000 <0.9.0> s1 in mfa=shop:render/1"
    awk -v starts="$1" 'BEGIN {
        for (i = 0; i < 25; i++) {
            t = 10000 + i * 2000000; p = "<0." (20 + i) ".0>"
            printf "%d <0.9.0> s1 spawn child=%s mfa=compile:f/1\n%d %s s1 spawned parent=<0.9.0> mfa=compile:f/1\n", t, p, t, p
            printf "%d <0.9.0> s1 out mfa=compile:do_compile/2\n%d %s s1 in mfa=compile:f/1\n", t + 100, t + 200, p
            printf "%d %s s1 spawn child=<0.%d.0> mfa=%s\n", t + 300, p, 100 + i, starts
            printf "%d %s s1 send to=<0.9.0> words=3 hash=%x\n%d %s s1 exit reason=normal\n%d %s s1 out_exited\n", t + 1000000, p, i + 1, t + 1000100, p, t + 1000200, p
            printf "%d <0.9.0> s1 in mfa=compile:do_compile/2\n%d <0.9.0> s1 receive words=3 hash=%x\n", t + 1000300, t + 1000400, i + 1
        }
    }'
    echo "51000000 <0.9.0> s1 exit reason=normal"
    echo "51000100 <0.9.0> s1 out_exited"
}
for case in "shop:helper/0 shop:render/1" "epp:server/0 shop:render/1" "shop:helper/0 'Elixir.Kernel.CLI':main/1"; do
    run $case > T.txt
    $STROBE query T.txt "SELECT rule, gain_ns, title FROM finding WHERE rule = 'runtime_compilation'" --format csv
done
--- out
rule,gain_ns,title
runtime_compilation,25002500,"shop:render/1 <0.9.0> had 25 modules compiled while it ran: a module was being compiled or loaded for 25.0 ms, 49 % of the time"
rule,gain_ns,title
rule,gain_ns,title
