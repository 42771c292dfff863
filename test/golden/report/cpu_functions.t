Samples of the CPU by function: a NIF counts as a function, since its caller is unknown. What belongs to no function is said,
and which work of the VM it was. The function with most samples stands out if they are a tenth, and it has at least so many if
more are of no function. A call of OTP is no function to make faster, but who calls is. A NIF that went on later is called by
a function without a name; such a function is of the work that the next one with a name is of.
--- run
# sampled STACK...: 200 samples, stacks in turn; two processes work on two schedulers
sampled() {
    awk -v stacks="$*" 'BEGIN {
        n = split(stacks, stack, " ")
        print "@meta node=a@h creation=1 recorded=procs,running,messages,cpu schedulers=2"
        for (s = 1; s < 3; s++) printf "0us - - thread name=\"%d_scheduler\" tid=%d cpu=0 queue=0\n", s, 40 + s
        for (s = 1; s < 20; s++) printf "0us - - cpu_frame name=\"shop:count/%d\" number=%d caller=0 kind=0\n", s, s
        print "0us - - cpu_frame name=\"beam.smp:beam_jit_call_nif\" number=20 caller=0 kind=1"
        print "0us - - cpu_frame name=\"crypto.so:hash_nif\" number=21 caller=20 kind=1"
        print "0us - - cpu_frame name=\"libcrypto.so\" number=22 caller=21 kind=1"
        print "0us - - cpu_frame name=\"beam.smp:erts_mixed_times\" number=23 caller=0 kind=1"
        print "0us - - cpu_frame name=\"beam.smp\" number=24 caller=20 kind=1"
        print "0us - - cpu_frame name=\"lists:member/2\" number=25 caller=1 kind=0"
        print "0us - - cpu_frame name=\"gen:do_call/4\" number=26 caller=2 kind=0"
        print "0us - - cpu_frame name=\"beam.smp:before enif_free_env\" number=27 caller=20 kind=1"
        print "0us - - cpu_frame name=\"jiffy.so:encode_iter\" number=28 caller=27 kind=1"
        print "0us - - cpu_frame name=\"beam.smp:before db_create_hash\" number=29 caller=0 kind=1"
        print "0us <0.9.0> s1 in mfa=m:main/0"
        for (p = 20; p < 22; p++) printf "0us <0.9.0> s1 spawn child=<0.%d.0> mfa=shop:count/1\n", p
        print "0us <0.9.0> s1 out_exited\n0us <0.9.0> s1 exit reason=normal"
        for (i = 0; i < 100; i++)
            for (p = 0; p < 2; p++) {
                printf "%dus <0.%d.0> s%d in mfa=shop:count/1\n", i * 1000, 20 + p, p + 1
                printf "%dus - - cpu_sample tid=%d stack=%d\n", i * 1000 + 500, 41 + p, stack[(2 * i + p) % n + 1]
                printf "%dus <0.%d.0> s%d %s\n", i * 1000 + 999, 20 + p, p + 1, i < 99 ? "out mfa=shop:count/1" : "exit reason=normal"
            }
    }' > T.txt
    rm -f T.sb*
    echo "== $*"
    COLUMNS=100 $STROBE report T.txt 2>&1 | sed -n '/^- the work/,/^- most/{/^- most/!p};/^CPU by/,/^ran/{/^ran/!p}'
}
sampled 1 1 1 1 1 22 22 22 23 23
sampled 1 2 23 23 23
sampled $(seq 1 19)
sampled 22 22 22 24
sampled 25 25 25 2
sampled 26 26 26 1
sampled 28 29 29 27
COLUMNS=100 $STROBE report T.txt cpu --limit 2 | tail -3
--- out
== 1 1 1 1 1 22 22 22 23 23
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; the function to make faster is shop:count/1: it, and what the VM did for it,
  took 50 % of the CPU time of processes; with what it calls, shop:count/1 is in 43 to 100 % of all
  samples: twice as fast, that function saves 17.6 ms to 52.5 ms of 100 ms in a replay, which may be
  5 % off (strobe predict --faster)
CPU by function   shop:count/1 50 %, crypto.so:hash_nif 30 %, arithmetic for unknown functions 20 %
                  of the CPU time of processes; built-in functions count for their callers where
                  these are known (200 samples: within 7 points)
== 1 2 23 23 23
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; which function takes most is unknown for 60 % of the CPU time; the first is
  shop:count/1: it, and what the VM did for it, took at least 20 % of the CPU time of processes
CPU by function   shop:count/1 20 %, shop:count/2 20 %, arithmetic for unknown functions 60 % of the
                  CPU time of processes; built-in functions count for their callers where these are
                  known (200 samples: within 7 points)
== 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; no function stands out; the first is shop:count/1: it, and what the VM did for
  it, took 6 % of the CPU time of processes
CPU by function   shop:count/1 6 %, shop:count/10 6 %, shop:count/2 6 % of the CPU time of
                  processes; built-in functions count for their callers where these are known (200
                  samples: within 7 points)
== 22 22 22 24
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; the function to make faster is crypto.so:hash_nif: it, and what the VM did for
  it, took 75 % of the CPU time of processes; with what it calls, crypto.so:hash_nif is in 69 to
  100 % of all samples: twice as fast, that function saves 31.0 ms to 52.5 ms of 100 ms in a replay,
  which may be 5 % off (strobe predict --faster)
CPU by function   crypto.so:hash_nif 75 %, unknown 25 % of the CPU time of processes; built-in
                  functions count for their callers where these are known (200 samples: within 7
                  points)
== 25 25 25 2
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; the function to make faster is lists:member/2 (called by shop:count/1): it, and
  what the VM did for it, took 75 % of the CPU time of processes; with what it calls, lists:member/2
  is in 69 to 80 % of all samples: twice as fast, that function saves 45.3 ms to 52.3 ms of 100 ms
  in a replay, which may be 5 % off (strobe predict --faster)
CPU by function   lists:member/2 (called by shop:count/1) 75 %, shop:count/2 25 % of the CPU time of
                  processes; built-in functions count for their callers where these are known (200
                  samples: within 7 points)
== 26 26 26 1
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; the function to make faster is shop:count/2: it, and what the VM did for it,
  took 75 % of the CPU time of processes; with what it calls, shop:count/2 is in 69 to 80 % of all
  samples: twice as fast, that function saves 45.3 ms to 52.3 ms of 100 ms in a replay, which may be
  5 % off (strobe predict --faster)
CPU by function   gen:do_call/4 (called by shop:count/2) 75 %, shop:count/1 25 % of the CPU time of
                  processes; built-in functions count for their callers where these are known (200
                  samples: within 7 points)
== 28 29 29 27
- the work at hand would fill the 2 schedulers for 100 % of their time; shop:count/1 <0.20.0> did
  50 % of the work; which function takes most is unknown for 75 % of the CPU time; the first is
  jiffy.so:encode_iter: it, and what the VM did for it, took at least 25 % of the CPU time of
  processes
CPU by function   jiffy.so:encode_iter 25 %, ETS for unknown functions 50 %, unknown 25 % of the CPU
                  time of processes; built-in functions count for their callers where these are
                  known (200 samples: within 7 points)
--limit 0 shows all rows; --format json or csv has every column
-- functions of Erlang, with what the VM did for them: jiffy.so:encode_iter 25 %, ETS for unknown
   functions 50 %, unknown 25 % (200 samples: within 7 points)
