/*
 * The rings of a node, copied to where they cannot be mapped: to another machine, out of a container. A copy is a list
 * of parts of the rings' file, those that have changed since the last copy:
 *
 *     u64 place in the file, u64 size, the bytes, padding to a multiple of 8
 *
 * The copier takes the place of the drain: it releases each chunk that it has copied. An image is the file as the
 * parts make it, to be read by ring_read.h. One thread each.
 */
#pragma once
#include "base/err.h"
#include "base/vec.h"
#include "trace/sbt/ring_layout.h"

struct sb_ring_copier;
struct sb_ring_parts {
    uint8_t *at;
    size_t n, cap;
};

struct sb_ring_copier *sb_ring_copier_open(const struct sb_layout *l); /* valid until the close */
void sb_ring_copier_close(struct sb_ring_copier *c);
/* Appends what has come since the last copy: all events before this call, and the names that they refer to. */
bool sb_ring_copy(struct sb_ring_copier *c, struct sb_ring_parts *to, struct sb_err *e);
uint64_t sb_ring_copier_events(const struct sb_ring_copier *c); /* that the node has made so far */

struct sb_ring_image {
    struct sb_rings *rings; /* NULL until the first copy */
    uint64_t bytes;
    struct sb_layout layout; /* it stays */
};

enum { SB_RING_IMAGE_MAX = 256 << 20 };
/* Adds the parts of a copy, which may come from a node that is damaged or hostile. */
bool sb_ring_image_add(struct sb_ring_image *m, struct sb_str parts, struct sb_err *e);
void sb_ring_image_close(struct sb_ring_image *m);
