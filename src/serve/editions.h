/*
 * The profiles of one file. A trace that is still being written is analysed as it grows, which makes an edition
 * now and then; any other file has one. A page asks about one edition, so its pictures and tables agree, and
 * renews its claim to it. An edition that is not the newest is closed when no request uses it and no page has
 * claimed it for ten seconds.
 *
 *     newest -> older -> older
 *     5         4        2        2 is frozen on somebody's screen
 */
#pragma once
#include "serve/served.h"
#include <pthread.h>

#define SB_MOST_EDITIONS 12 /* the oldest that no request uses are closed, claimed or not */

struct sb_edition {
    struct sb_served served;
    uint64_t number;        /* 1, 2, ... */
    int64_t known_until_ns; /* on the clock of the node, before which nothing is missing; SB_NULL: the end */
    unsigned users;         /* requests */
    int64_t claimed_ns;
    struct sb_edition *older;
};

struct sb_editions {
    pthread_mutex_t lock;
    struct sb_edition *newest;
};

void sb_editions_init(struct sb_editions *all);
void sb_editions_close(struct sb_editions *all);
/* Opens a profile as the newest edition. `nameless`: removes its file, whose content stays until it is closed.
 * An edition without events is not taken, and `*taken` false. */
bool sb_editions_add(struct sb_editions *all, const char *profile_path, bool nameless, bool *taken,
                     struct sb_err *e);
/* Returns an edition for a request; number 0: the newest. NULL: it is not there. */
struct sb_served *sb_editions_take(struct sb_editions *all, uint64_t number);
void sb_editions_give_back(struct sb_editions *all, struct sb_served *of); /* NULL is allowed */
uint64_t sb_editions_number(const struct sb_served *of);
/* Returns the number of the newest edition, 0 if there is none, and until when it is known. A claim to an edition
 * renews itself with each call; 0 claims none. */
uint64_t sb_editions_claim(struct sb_editions *all, uint64_t number, int64_t *known_until_ns);
void sb_editions_interrupt(struct sb_editions *all); /* all running statements */
