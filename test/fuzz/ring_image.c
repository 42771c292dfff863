/*
 * Copies of the rings of a foreign node (trace/sbt/ring_image.h), changed in places: an image is made of them, and
 * its events are read and summed up as `strobe top` does. A copy is refused, or read; nothing beyond the image is
 * touched.
 *
 *     input: for each copy the number of changes and changes of three bytes each: place (16 bit), value. The place
 *     counts from the start of the copy, modulo its size
 */
#include "../forge/rings.h"
#include "live/watch/tally.h"
#include "trace/sbt/ring_read.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { COPIES = 4, CHANGE = 3 };

static struct sb_ring_parts good[COPIES];

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    forge_ring_copies(good, COPIES);
    return 0;
}

/* Takes the changes of one copy off the input. */
static uint8_t *
changed(const struct sb_ring_parts *good_one, const uint8_t **data, size_t *size)
{
    uint8_t *p = sb_realloc_or_die(NULL, good_one->n);
    memcpy(p, good_one->at, good_one->n);
    size_t n = *size > 0 ? *(*data)++ : 0;
    *size -= *size > 0;
    for (; n > 0 && *size >= CHANGE; n--, *data += CHANGE, *size -= CHANGE)
        p[((*data)[0] | (size_t)(*data)[1] << 8) % good_one->n] = (*data)[2];
    return p;
}

struct reading {
    struct sb_ring_image image;
    struct sb_ring_reader *reader; /* NULL before the first copy */
    struct sb_tally tally;
};

static bool
read_all(struct reading *r, struct sb_err *e)
{
    if (!r->reader) {
        r->reader = sb_ring_reader_open(&r->image.layout, false);
        sb_tally_init(&r->tally, sb_ring_reader_names(r->reader), 500);
        sb_tally_watch(&r->tally, sb_actor_make(SB_PID, 0, 0, 1), 500);
    }
    for (unsigned ring = 0; ring < sb_ring_reader_rings(r->reader); ring++) {
        const struct sb_event *ev;
        for (size_t n = 1; n > 0;) {
            SB_TRY(sb_ring_reader_next(r->reader, ring, &ev, &n, e));
            for (size_t i = 0; i < n; i++)
                sb_tally_add(&r->tally, ring, &ev[i]);
        }
    }
    sb_tally_end_window(&r->tally, r->tally.from_ns + 100000);
    sb_tally_end_sweep(&r->tally);
    (void)sb_ring_reader_cost_ns(r->reader);
    (void)sb_ring_reader_lost(r->reader);
    (void)sb_ring_reader_dearest_x100(r->reader);
    return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading r = {.reader = NULL};
    struct sb_err e = {0};
    bool ok = true;
    for (unsigned i = 0; i < COPIES && ok; i++) {
        uint8_t *p = changed(&good[i], &data, &size);
        ok = sb_ring_image_add(&r.image, (struct sb_str){(const char *)p, good[i].n}, &e) && read_all(&r, &e);
        SB_ASSERT(ok || e.what[0]);
        free(p);
    }
    if (r.reader) {
        sb_tally_close(&r.tally);
        sb_ring_reader_close(r.reader);
    }
    sb_ring_image_close(&r.image);
    return 0;
}
