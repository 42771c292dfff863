A build by Mix: modules that are compiled run little code of the program, and what Mix does after it belongs to the run, up to
the shutdown. Neither Mix's own process nor the files that it asks for are a finding, and a module that takes long to compile
has a cure of its own.
--- run
files() {
    awk 'BEGIN {
        for (i = 0; i < 80; i++) {
            t = 210000000 + i * 1000000
            printf "%d <0.90.0> s1 send to=<0.55.0> words=3 hash=%x\n%d <0.90.0> s1 out mfa=gen:do_call/4\n", t, 2 * i, t + 10
            printf "%d <0.55.0> s2 in mfa=gen_server:loop/7\n%d <0.55.0> s2 receive words=3 hash=%x\n", t + 1000, t + 1010, 2 * i
            printf "%d <0.55.0> s2 send to=<0.90.0> words=3 hash=%x\n%d <0.55.0> s2 out mfa=gen_server:loop/7\n", t + 900000, 2 * i + 1, t + 901000
            printf "%d <0.90.0> s1 in mfa=gen:do_call/4\n%d <0.90.0> s1 receive words=3 hash=%x\n", t + 910000, t + 910010, 2 * i + 1
        }
    }'
}
{
cat <<'T'
@meta node=a@h creation=1 recorded=procs,running,messages schedulers=2
0 <0.0.0> s1 register name=init
1 <0.0.0> s1 spawn child=<0.9.0> mfa=erlang:apply/2
2 <0.55.0> s1 register name=file_server_2
3 <0.10.0> s1 spawn child=<0.60.0> mfa=supervisor:kernel/1
4 <0.60.0> s1 register name=kernel_safe_sup
19999990 <0.9.0> s1 in mfa=gen:do_call/4
20000000 <0.9.0> s1 send to=<0.0.0> words=4 hash=abc
20000010 <0.9.0> s1 out mfa=init:start_em/1
20000050 <0.9.0> s1 in mfa=init:start_em/1
20000100 <0.9.0> s1 spawn child=<0.90.0> mfa='Elixir.Kernel.CLI':'-exec_fun/2-fun-0-'/2
20000200 <0.9.0> s1 out mfa='Elixir.Kernel.CLI':exec_fun/2
21000000 <0.90.0> s1 in mfa='Elixir.Kernel.CLI':'-exec_fun/2-fun-0-'/2
30000000 <0.90.0> s1 spawn child=<0.91.0> mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
40000000 <0.90.0> s1 spawn child=<0.92.0> mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
40100000 <0.90.0> s1 out mfa='Elixir.Kernel.ParallelCompiler':wait_for_messages/2
41000000 <0.91.0> s1 in mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
42000000 <0.92.0> s2 in mfa=elixir_erl_compiler:'-spawn/1-fun-0-'/2
50000000 <0.91.0> s1 out mfa='Elixir.Shop':'MACRO-price'/2
50000100 <0.91.0> s1 in mfa='Elixir.Shop':'MACRO-price'/2
60000000 <0.91.0> s1 exit reason=normal
60000001 <0.91.0> s1 out_exited
200000000 <0.92.0> s2 send to=<0.90.0> words=4 hash=abd
200000001 <0.92.0> s2 exit reason=normal
200000002 <0.92.0> s2 out_exited
200010000 <0.90.0> s1 in mfa='Elixir.Kernel.ParallelCompiler':wait_for_messages/2
200010010 <0.90.0> s1 receive words=4 hash=abd
T
files
cat <<'T'
300000000 <0.90.0> s1 send to=<0.9.0> words=4 hash=abe
300000010 <0.90.0> s1 exit reason=normal
300000020 <0.90.0> s1 out_exited
300100000 <0.9.0> s1 in mfa='Elixir.Kernel.CLI':exec_fun/2
300100010 <0.9.0> s1 receive words=4 hash=abe
300200000 <0.9.0> s1 out mfa='Elixir.System':halt/1
T
} > T.txt
COLUMNS=140 $STROBE report T.txt | sed -n '/^What ran/q;p'
COLUMNS=140 $STROBE report T.txt | grep ^program
--- out
Worth looking at
1. anonymous fn/2 in :elixir_erl_compiler.spawn/1 <0.92.0> was the only process at work for 140 ms, 54 % of the program's time (others in
   turn for 38 %): a cure saves at most 140 ms
   cure: divide the module that takes longest to compile, since modules are compiled side by side, or let its macros generate less code; mix
         xref graph tells what is compiled again for what
   strobe report T.sbp findings

program           259 ms, from 41.0 ms on, without start-up and shutdown: 1.07 processes at work on average, serial unknown (between 0 and
