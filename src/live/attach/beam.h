/*
 * What /proc shows of a running BEAM: the name, cookie, home and protocol that its command line gives, and the ports on
 * which it listens. Only processes of the same user, or all of them for root, can be read in full.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"

struct sb_beam {
    uint32_t os_pid;
    struct sb_str name;   /* as given: "shop", "shop@host"; empty: none */
    struct sb_str cookie; /* of its command line; empty: it reads a file */
    struct sb_str home;   /* its user's, where the cookie file is */
    struct sb_str epmd;   /* the port of its epmd (ERL_EPMD_PORT); empty: the usual one */
    struct sb_str tmp;    /* its TMPDIR */
    struct sb_str proto;  /* -proto_dist, such as "inet_tls"; empty: inet_tcp */
};

/* Fails if there is no such process, or if it is no BEAM. */
bool sb_beam_read(struct sb_beam *b, uint32_t os_pid, struct sb_arena *a, struct sb_err *e);
/* Returns the BEAM on this machine that listens on the TCP port; 0: none that can be seen. */
uint32_t sb_beam_of_port(uint16_t port);
bool sb_beam_listens(uint32_t os_pid, uint16_t port);
