/*
 * The phases of a node in a trace: the VM starts, the program runs, the VM shuts down. Outside of its part of
 * the trace nothing is known of a node.
 *
 *     node starts     boot done    program's code     a service waits    init prepares the shutdown
 *     |--- start-up ---|................|------------ program ------------|--- shutdown ---|
 *
 * A start is told from a trace that begins later by a process of the kernel that was spawned in the trace.
 */
#pragma once
#include "profile/profile.h"

struct sb_phases { /* in order of time; a phase that was not seen has no length */
    int64_t known_ns, program_ns, shutdown_ns, end_ns;
    int64_t init; /* process.id of the process of that name; 0: not in the trace */
};
/* By the row of the node in table node. Found once for a profile, as is the program. */
const struct sb_phases *sb_phases_of(const struct sb_profile *p);

/*
 * The program's part of a run.
 *
 * It starts with the first slice that shows a function outside OTP and Elixir, or with the spawn of a process with such
 * a function; for processes that were there before the trace, with the trace. The process that boots the node and
 * then runs the command line of erl sends `init` a message when the boot is done: if that is earlier, the program
 * starts there. But where the command line runs a tool (escript, Elixir's, Mix, rebar3), the program starts after the
 * last slice of the tool or of the code server before its first function: meanwhile it ran functions of OTP alone.
 *
 * It ends with the last of the processes that ran such a function: a service lasts until the node prepares its
 * shutdown, or until the trace ends.
 *
 * Code that erl_eval interprets, such as a script without `-mode(compile)`, shows functions of erl_eval alone. If there
 * is no other function of a program, these stand for it. If there are none of these either, as the program only waits
 * in functions of OTP, the process that runs the command line of erl stands for it, until the node ends.
 */
struct sb_program {
    int64_t from_ns, to_ns; /* SB_NULL: there is no such function */
    uint8_t *has;           /* by process.id: it ran such a function */
    bool is_by_tool;        /* escript, Elixir, Mix or rebar3 loaded it from the command line */
};
const struct sb_program *sb_program_of(const struct sb_profile *p);
