/*
 * The questions that the page asks before anybody selects anything: rows PAGE of routes/route.def and
 * routes/ask.def, beside the routes and statements that answer them. The server works the first ones out
 * before a browser asks, and sends the answers with the page; the one-file report holds the answers to the
 * others.
 */
#pragma once
#include <stddef.h>

enum {
    SB_ASKED_FIRST_ERLANG = 1, /* for the first picture, where names are Erlang's */
    SB_ASKED_FIRST_ELIXIR = 2, /* where they are Elixir's */
    SB_ASKED_FIRST = 3,
    SB_ASKED_SAVED = 4,      /* in the report */
    SB_ASKED_PROCESS = 8,    /* in the report, for each process that ran most: its id follows the address */
    SB_ASKED_FUNCTION = 16,  /* for each function that ran most: its name follows */
    SB_ASKED_SAVED_CPU = 32, /* in the report of a profile that has samples of the CPU */
    SB_ASKED_CPU_FUNCTION = 64, /* for each function with the most of these: its name follows */
    SB_ASKED_CALLED = 128,      /* for each process, where calls were recorded */
    SB_ASKED_SAMPLED = 256,     /* for each process, where the CPU was sampled */
    SB_ASKED_SCHEDULER = 512,   /* for each scheduler, where the CPU was sampled */
    SB_ASKED_SERVER = 1024,     /* for each server with the most requests: its id follows */
    SB_ASKED_OTHER = 2048,      /* in the report of a profile and another one, whose number is 1 */
};

struct sb_page_question {
    const char *address; /* as the page writes it, after "api/" */
    const char *detail;  /* parameters that the report adds; "n=": as many cells as it has room for */
    unsigned when;       /* SB_ASKED_... */
};

extern const struct sb_page_question sb_page_questions[];
extern const size_t sb_n_page_questions;
