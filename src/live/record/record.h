/*
 * Runs a command so that every BEAM it starts records itself. ERL_AFLAGS makes the VM start strobe_boot
 * before the program; strobe_boot creates its rings in the folder of the recording, and a drain is started
 * here for each such file.
 *
 *     command ──exec──> VM ──rings──> FOLDER/OSPID.rings ──strobe-drain──> TRACE.OSPID.sbt
 *
 * When the command has ended, or a limit has stopped a recording, the trace with the most events gets the
 * requested name. VMs that the command leaves behind are recorded until they end. When the time limit has ended the
 * recording of a VM, all recordings end, and VMs that start later are not recorded.
 */
#pragma once
#include "live/record/record_options.h"
#include "live/record/recorded.h"

enum sb_record_moment {
    SB_RECORD_PRIVATE, /* other users cannot read strobe, so their VMs cannot be recorded */
    SB_RECORD_BEGUN,   /* a VM is being recorded */
    SB_RECORD_FAILED,  /* a VM could not record; `why` */
    SB_RECORD_STOPPED, /* a trace is complete, while the command continues */
    SB_RECORD_LEFT,    /* the command has ended, and left a VM behind, which is still recorded */
};

struct sb_record_notice {
    enum sb_record_moment moment;
    uint32_t os_pid;
    const char *trace;            /* SB_RECORD_BEGUN: where it is while it grows */
    const struct sb_recorded *vm; /* SB_RECORD_STOPPED */
    struct sb_str why;
};

struct sb_record_result {
    int exit_code; /* of the command, or 128 + signal; 126 or 127 if it could not be started */
    SB_VEC(struct sb_recorded) vm; /* most events first; the first one has the requested name */
    size_t begun;                  /* VMs of which a recording was begun */
    struct sb_str missing;         /* lines about requested modules that the first VM never loaded */
    bool notified;                 /* SB_RECORD_STOPPED was about the first VM */
    bool kept_old;                 /* an earlier trace of this name is now called TRACE.old */
    struct sb_str failed;          /* the error of a VM that could not record; empty: none */
};

/* Returns false when strobe itself failed; nothing was recorded then. */
bool sb_record(const struct sb_record_options *o, struct sb_arena *a, struct sb_record_result *r,
               struct sb_err *e);
