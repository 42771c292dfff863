%% @doc The output of `strobe:help()': all functions, each with an example.
-module(strobe_help).

-export([text/0]).

-spec text() -> unicode:chardata().
text() ->
    "Record\n"
    "  strobe:profile(\"t.sbt\", fun() -> work() end, [])     while a function runs: {ok, Value, Summary}\n"
    "  strobe:profile(\"t.sbt\", [{duration, \"10s\"}])         until it stops by itself, or strobe:stop_profile()\n"
    "  strobe:profile({\"t\", wrap, \".trace\", 1 bsl 20, 10}, [procs])   the end of a long run, in OTP's own files\n"
    "  strobe:mark(\"here\")                                  writes a text into the trace, at this moment\n"
    "  strobe:filter(all, [{{trace,'_',send,'$1','_'}, [{is_list,'$1'}], [true]}])\n"
    "                                                       only these events from now on; true: all again\n"
    "  strobe:spawn(fun work/0), spawn_link, spawn_monitor, spawn_opt\n"
    "                                                       of many similar processes, the calls of some are recorded\n"
    "  strobe:sample(all, 10, \".\")                          run queues, memory, ... every 10 ms for 10 s\n"
    "\n"
    "Look\n"
    "  strobe:analyze([\"t.sbt\"])                            one or several traces into one profile\n"
    "  strobe:analyze(\"t\", \".trace\", 0, 10)                 a set of files as above\n"
    "  strobe:start_webserver()                             the page; strobe:stop_webserver() ends it\n"
    "\n"
    "Functions\n"
    "  strobe_fprof:apply(fun work/0, []), strobe_fprof:profile(), strobe_fprof:analyse(totals)\n"
    "  strobe_eprof:profile(fun work/0), strobe_eprof:analyze(total)\n"
    "  strobe_cprof:start(lists), work(), strobe_cprof:pause(), strobe_cprof:analyse(lists)\n"
    "  strobe:count(fun work/0), strobe:time(...), strobe:memory(...)   {ok, Value, Rows}: calls, own time, words\n"
    "                                                       by function; [{modules, [M]}, {processes, all}]\n"
    "  strobe:measure_memory(fun work/0)                    Benchee's number, and what it leaves out\n"
    "\n"
    "Options of profile\n"
    "  {trace, [all]}             of procs, running, messages, gc, ports, vm, calls, sample (stacks);\n"
    "                             all is everything but calls and sample\n"
    "  {modules, M}, {apps, A}, {functions, F}   whose calls to trace: one or a list; F is {M, F, A}, {M, F},\n"
    "                             fun M:F/A, \"m:f/a\" or \"M.f/a\"; {reload, true} if they will be loaded again meanwhile.\n"
    "                             Names that do not exist are in the summary as `missing\', with the nearest one\n"
    "  {processes, all}           or new, existing, descendants (of the caller), or one or a list of pids, names,\n"
    "                             \"<0.85.0>\", {app, App}, {M, F, A} (their entry); and the processes that these start\n"
    "  {duration, \"10s\"}, {limit_events, N}, {limit_bytes, N} (1 GiB), {buffer, Bytes} (64 MiB), {level, 0..19}\n"
    "  {drain, process}           the file is written from within the node, as where no program can be started\n"
    "  {quiet, true}              print nothing at the start\n"
    "  and Percept2's: procs, ports, running, message, migration, garbage_collection, {callgraph, [M]}\n".
