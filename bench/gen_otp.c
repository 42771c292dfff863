/* Records as OTP's file driver writes them: a frame each, terms as OTP 25 encodes them. */
#include "gen.h"
#include "base/bytes.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>

enum { RECORD_MOST = 2048, FUNCTION_MOST = 64 };

struct function {
    uint8_t bytes[FUNCTION_MOST]; /* {M, F, A} as a term */
    uint32_t n, names;            /* length, and how much of it comes before the arity */
};

struct gen_writer {
    struct sb_out out;
    uint64_t bytes;
    struct function *function;
    /* behind the frame header, which is put in front when the record ends */
    uint8_t record[RECORD_MOST], *p;
};

static void
put_byte(struct gen_writer *w, unsigned v)
{
    *w->p++ = (uint8_t)v;
}

static void
put_u32(struct gen_writer *w, uint32_t v)
{
    sb_put_be32(w->p, v);
    w->p += 4;
}

static void
put_bytes(struct gen_writer *w, const void *p, size_t n)
{
    memcpy(w->p, p, n);
    w->p += n;
}

static void
put_atom(struct gen_writer *w, const char *text)
{
    size_t n = strlen(text);
    put_byte(w, 100);
    put_byte(w, 0);
    put_byte(w, (unsigned)n);
    put_bytes(w, text, n);
}

static void
put_int(struct gen_writer *w, uint32_t v)
{
    if (v < 256) {
        put_byte(w, 97);
        put_byte(w, v);
        return;
    }
    put_byte(w, 98);
    put_u32(w, v);
}

static void
put_tuple(struct gen_writer *w, unsigned arity)
{
    put_byte(w, 104);
    put_byte(w, arity);
}

static void
put_pid(struct gen_writer *w, sb_actor pid)
{
    put_byte(w, 88);
    put_atom(w, "nonode@nohost");
    put_u32(w, sb_actor_number(pid));
    put_u32(w, sb_actor_serial(pid));
    put_u32(w, 0);
}

static void
put_stamp(struct gen_writer *w, int64_t at_ns)
{
    uint64_t us = (uint64_t)at_ns / 1000;
    put_tuple(w, 3);
    put_int(w, (uint32_t)(us / 1000000000000));
    put_int(w, (uint32_t)(us / 1000000 % 1000000));
    put_int(w, (uint32_t)(us % 1000000));
}

static void
put_function(struct gen_writer *w, uint32_t i)
{
    put_bytes(w, w->function[i].bytes, w->function[i].n);
}

static void
put_message(struct gen_writer *w, const struct gen_record *r)
{
    put_tuple(w, 3);
    put_atom(w, "m");
    put_int(w, r->seq);
    put_byte(w, 109);
    put_u32(w, r->payload);
    memset(w->p, 'x', r->payload);
    w->p += r->payload;
}

static void
put_gc(struct gen_writer *w, const struct gen_record *r)
{
    static const char *const keys[] = {
        "wordsize",       "old_heap_block_size",  "heap_block_size",    "mbuf_size",
        "recent_size",    "stack_size",           "old_heap_size",      "heap_size",
        "bin_vheap_size", "bin_vheap_block_size", "bin_old_vheap_size", "bin_old_vheap_block_size"};
    uint32_t heap = (uint32_t)r->heap;
    const uint32_t value[] = {7, 4181,  heap * 2, 0,    heap / 4, 12, heap / 3, heap - heap / 3,
                              0, 46422, 0,        46422};
    put_byte(w, 108);
    put_u32(w, 12);
    for (size_t i = 0; i < 12; i++) {
        put_tuple(w, 2);
        put_atom(w, keys[i]);
        put_int(w, value[i]);
    }
    put_byte(w, 106);
}

static void
begin(struct gen_writer *w)
{
    w->p = w->record + 5;
    put_byte(w, 131);
}

static void
end(struct gen_writer *w)
{
    size_t n = (size_t)(w->p - w->record);
    w->record[0] = 0;
    sb_put_be32(w->record + 1, (uint32_t)(n - 5));
    sb_out_bytes(&w->out, w->record, n);
    w->bytes += n;
}

/* {trace_ts, Who, Tag, A1 [, A2] [, Extra] [, Scheduler], Stamp} */
static const struct shape {
    const char *tag;
    unsigned n_args;
    bool profile;
} shapes[] = {
    [GEN_SEND] = {"send", 2},
    [GEN_RECEIVE] = {"receive", 1},
    [GEN_IN] = {"in", 1},
    [GEN_OUT] = {"out", 1},
    [GEN_ACTIVE] = {"active", 1, true},
    [GEN_INACTIVE] = {"inactive", 1, true},
    [GEN_GC_MINOR_START] = {"gc_minor_start", 1},
    [GEN_GC_MINOR_END] = {"gc_minor_end", 1},
    [GEN_GC_MAJOR_START] = {"gc_major_start", 1},
    [GEN_GC_MAJOR_END] = {"gc_major_end", 1},
    [GEN_SPAWN] = {"spawn", 2},
    [GEN_SPAWNED] = {"spawned", 2},
    [GEN_EXIT] = {"exit", 1},
    [GEN_CALL] = {"call", 2},
    [GEN_RETURN_TO] = {"return_to", 1},
};

static void
put_args(struct gen_writer *w, const struct gen_record *r)
{
    switch (r->kind) {
    case GEN_SEND:
        put_message(w, r);
        put_pid(w, r->peer);
        break;
    case GEN_RECEIVE:
        put_message(w, r);
        break;
    case GEN_SPAWN:
    case GEN_SPAWNED:
        put_pid(w, r->peer);
        put_bytes(w, w->function[r->function].bytes, w->function[r->function].names);
        put_byte(w, 106);
        break;
    case GEN_EXIT:
        put_atom(w, "normal");
        break;
    case GEN_CALL:
        put_function(w, r->function);
        put_tuple(w, 2);
        put_atom(w, "cp");
        put_function(w, r->caller);
        break;
    case GEN_GC_MINOR_START:
    case GEN_GC_MINOR_END:
    case GEN_GC_MAJOR_START:
    case GEN_GC_MAJOR_END:
        put_gc(w, r);
        break;
    default:
        put_function(w, r->function);
    }
}

static bool
write_otp(void *to, const struct gen_record *r)
{
    struct gen_writer *w = to;
    const struct shape *s = &shapes[r->kind];
    begin(w);
    put_tuple(w, 4 + s->n_args + (r->scheduler > 0 && !s->profile));
    put_atom(w, s->profile ? "profile" : "trace_ts");
    put_pid(w, r->who);
    put_atom(w, s->tag);
    put_args(w, r);
    if (r->scheduler > 0 && !s->profile)
        put_int(w, r->scheduler);
    put_stamp(w, r->at_ns);
    end(w);
    return true;
}

static void
lose_otp(void *to, const struct gen_record *r)
{
    struct gen_writer *w = to;
    (void)r;
    sb_out_bytes(&w->out, "\1\0\0\0\1", 5);
    w->bytes += 5;
}

static void
put_now(struct gen_writer *w, const char *what, int64_t at_ns)
{
    begin(w);
    put_tuple(w, 2);
    put_atom(w, what);
    put_stamp(w, at_ns);
    end(w);
}

static void
name_functions(struct gen_writer *w, uint32_t modules, uint32_t functions)
{
    w->function = sb_realloc_or_die(NULL, sizeof *w->function * modules * functions);
    for (uint32_t i = 0; i < modules * functions; i++) {
        char m[24], f[24];
        snprintf(m, sizeof m, "module_%u", i / functions);
        snprintf(f, sizeof f, "function_%u", i % functions);
        w->p = w->record;
        put_tuple(w, 3);
        put_atom(w, m);
        put_atom(w, f);
        w->function[i].names = (uint32_t)(w->p - w->record);
        put_int(w, i % 5);
        w->function[i].n = (uint32_t)(w->p - w->record);
        memcpy(w->function[i].bytes, w->record, w->function[i].n);
    }
}

static void *
open_otp(const char *path, const struct gen_facts *facts, struct sb_err *e)
{
    struct gen_writer *w = sb_realloc_or_die(NULL, sizeof *w);
    *w = (struct gen_writer){0};
    if (!sb_out_open(&w->out, path, e)) {
        free(w);
        return NULL;
    }
    name_functions(w, facts->modules, facts->functions);
    put_now(w, "profile_start", facts->at_ns);
    begin(w);
    put_tuple(w, 2);
    put_atom(w, "schedulers");
    put_int(w, facts->schedulers);
    end(w);
    return w;
}

static uint64_t
written_otp(const void *to)
{
    return ((const struct gen_writer *)to)->bytes;
}

static bool
close_otp(void *to, int64_t at_ns, struct sb_err *e)
{
    struct gen_writer *w = to;
    put_now(w, "profile_stop", at_ns);
    bool ok = sb_out_close(&w->out, e);
    free(w->function);
    free(w);
    return ok;
}

const struct gen_format gen_otp = {"otp", open_otp, write_otp, lose_otp, written_otp, close_otp};
