/*
 * Writes the result that fprof:profile/1 returns for a trace that it cannot read to the end: {error,Reason},
 * including the line numbers of OTP 25. Errors of the reader take precedence over those of a clause, because
 * reading continues after the latter.
 */
#include "fprof/fprof.h"
#include "trace/term/term_print.h"

struct terms {
    struct sb_fprof *f;
    struct sb_arena arena;
    SB_VEC(struct fp_piece) pieces; /* the bytes that the terms of records refer to */
};

static struct sb_etf
atom(const char *z)
{
    return sb_etf_new_atom(sb_str_of(z));
}

static struct sb_etf
record_at(struct terms *t, uint64_t at)
{
    struct sb_etf term = atom("undefined");
    struct fp_piece *piece = SB_PUSH(&t->pieces);
    *piece = (struct fp_piece){0};
    uint8_t head[FP_RECORD_HEAD];
    fp_input_record(&t->f->in, at, piece);
    if (piece->n > 0)
        sb_etf_decode_binary(piece->bytes + FP_RECORD_HEAD, piece->n - FP_RECORD_HEAD, &t->arena, &term);
    else if (fp_input_bytes(&t->f->in, at, head, sizeof head) == sizeof head && head[0] == FP_RECORD_DROP) {
        struct sb_etf drop[] = {atom("drop"), sb_etf_new_int(sb_get_be32(head + 1))};
        term = sb_etf_new_tuple(&t->arena, drop, 2);
    }
    return term;
}

static struct sb_etf
stamp_of(struct terms *t, uint64_t at)
{
    struct sb_etf record = record_at(t, at);
    return record.kind == SB_TERM_TUPLE && record.n > 0 ? record.at[record.n - 1] : atom("undefined");
}

/* Returns the stack in fprof's form: newest level first, newest entry first. */
static struct sb_etf
stack_of(struct terms *t, const struct fp_proc *p)
{
    if (!p || !p->known)
        return atom("undefined");
    struct sb_etf *levels = SB_NEW_N(&t->arena, struct sb_etf, p->level.n + 1);
    size_t end = p->stack.n;
    for (size_t i = 0; i < p->level.n; i++) {
        size_t start = p->level.at[p->level.n - 1 - i], n = end - start;
        struct sb_etf *entries = SB_NEW_N(&t->arena, struct sb_etf, n);
        for (size_t j = 0; j < n; j++) {
            const struct fp_entry *e = &p->stack.at[end - 1 - j];
            struct sb_etf pair[] = {t->f->funcs.term.at[e->func], stamp_of(t, e->at)};
            entries[j] = sb_etf_new_tuple(&t->arena, pair, 2);
        }
        levels[i] = sb_etf_new_list(&t->arena, entries, (uint32_t)n);
        end = start;
    }
    return sb_etf_new_list(&t->arena, levels, (uint32_t)p->level.n);
}

static struct sb_etf
fprof_error(struct terms *t, const char *what, int line, const struct sb_etf *details, uint32_t n)
{
    struct sb_etf parts[] = {atom(what), atom("fprof"), sb_etf_new_int(line),
                             sb_etf_new_list(&t->arena, details, n)};
    return sb_etf_new_tuple(&t->arena, parts, 4);
}

static struct sb_etf
thrown_reason(struct terms *t, const struct fp_throw *thrown)
{
    static const int lines[] = {
        [FP_CALL_IN_SUSPEND] = 1992, [FP_CALL_IN_GC] = 1995, [FP_RETURN_IN_SUSPEND] = 2140,
        [FP_RETURN_IN_GC] = 2143,    [FP_IN_ODD] = 2303,     [FP_GC_END_ODD] = 2329};
    const struct fp_event *ev = &thrown->event;
    const struct sb_etf *func = t->f->funcs.term.at;
    struct fp_sim *sim = &t->f->sim[ev->pid % t->f->n_sims];
    struct sb_etf details[5];
    uint32_t n = 0;
    details[n++] = t->f->pids.term.at[ev->pid];
    if (thrown->why != FP_GC_END_ODD)
        details[n++] = func[ev->func];
    details[n++] = stamp_of(t, ev->at);
    if (thrown->why == FP_CALL_IN_SUSPEND || thrown->why == FP_CALL_IN_GC)
        details[n++] = func[ev->cp];
    details[n++] = stack_of(t, fp_sim_find(sim, ev->pid));
    return fprof_error(t, "inconsistent_trace_data", lines[thrown->why], details, n);
}

static struct sb_etf
incorrect_reason(struct terms *t, const struct fp_stop *stop)
{
    struct sb_etf details[2] = {record_at(t, stop->at)};
    if (stop->kind != FP_INCORRECT_CALL)
        return fprof_error(t, "incorrect_trace_data", 1910, details, 1);
    details[1] = stack_of(t, fp_sim_find(&t->f->sim[stop->tracee % t->f->n_sims], stop->tracee));
    return fprof_error(t, "incorrect_trace_data", 1712, details, 2);
}

/* ---- errors of the reader */

/* Like fprof, lists all remaining bytes of a cut record, but at most this many. */
#define LONGEST_LIST (1u << 20)

static void
put_bad_term(struct terms *t, uint64_t at, struct sb_out *o)
{
    struct fp_piece piece = {0};
    fp_input_record(&t->f->in, at, &piece);
    size_t n = piece.n > FP_RECORD_HEAD ? piece.n - FP_RECORD_HEAD : 0;
    struct sb_etf bytes = {
        .kind = SB_TERM_BITS, .bits = 8, .n = (uint32_t)n, .bytes = piece.bytes + FP_RECORD_HEAD};
    sb_out_z(o, "{badarg,[{erlang,binary_to_term,[");
    sb_term_print_flat(o, &bytes, SB_TERM_PLAIN);
    sb_out_z(o, "],[{error_info,#{module => erl_erts_errors}}]},"
                "{dbg,read_term,3,[{file,\"dbg.erl\"},{line,1487}]},"
                "{dbg,'-mk_reader/2-fun-0-',2,[{file,\"dbg.erl\"},{line,1424}]},"
                "{dbg,tc_loop,3,[{file,\"dbg.erl\"},{line,1384}]}]}");
    free(piece.bytes);
}

static struct sb_etf
reader_reason(struct terms *t, const struct fp_pass *p)
{
    uint8_t head[FP_RECORD_HEAD];
    const struct fp_input_file *file = fp_input_file_at(p->in, p->in->next);
    uint64_t left = file->at + file->size - p->in->next;
    left = left < LONGEST_LIST ? left : LONGEST_LIST;
    size_t n = fp_input_bytes(p->in, p->in->next, head, sizeof head);
    struct sb_etf parts[2] = {atom("bad trace tag"), sb_etf_new_int(head[0])};
    if (p->end != FP_BAD_RECORD) {
        parts[0] = atom(p->end == FP_CUT_AFTER_HEAD ? "trace term missing" : "truncated file");
        bool in_head = left <= FP_RECORD_HEAD;
        uint8_t *bytes = sb_arena_alloc(&t->arena, in_head ? sizeof head : left, 1);
        memcpy(bytes, head, n);
        if (!in_head)
            n = fp_input_bytes(p->in, p->in->next + FP_RECORD_HEAD, bytes, left - FP_RECORD_HEAD);
        parts[1] = sb_etf_new_text(&t->arena, (struct sb_str){(const char *)bytes, n});
    }
    return sb_etf_new_tuple(&t->arena, parts, 2);
}

/* ---- complete results */

static struct sb_etf
clause_reason(struct terms *t, const struct fp_pass *p)
{
    return p->stop.kind == FP_NOTHING ? thrown_reason(t, &p->thrown) : incorrect_reason(t, &p->stop);
}

static void
close_terms(struct terms *t)
{
    for (size_t i = 0; i < t->pieces.n; i++)
        free(t->pieces.at[i].bytes);
    SB_VEC_FREE(&t->pieces);
    sb_arena_close(&t->arena);
}

void
fp_put_reason(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *o)
{
    struct terms t = {.f = f};
    sb_out_z(o, "{error,");
    f->failed_at = p->stop.at;
    if (p->stop.at != FP_NOWHERE && p->stop.kind == FP_CRASH) {
        sb_out_z(o, "badarg"); /* followed by the place in fprof's code */
    } else if (p->bad_term != FP_NOWHERE) {
        f->failed_at = p->bad_term;
        put_bad_term(&t, p->bad_term, o);
    } else {
        bool reader = p->end != FP_END;
        f->failed_at = reader ? p->in->next : p->stop.at;
        struct sb_etf reason = reader ? reader_reason(&t, p) : clause_reason(&t, p);
        sb_term_print_flat(o, &reason, SB_TERM_PLAIN);
    }
    sb_out_char(o, '}');
    close_terms(&t);
}

void
fp_dump_thrown(struct sb_fprof *f, const struct fp_pass *p, struct sb_out *dump)
{
    struct terms t = {.f = f};
    struct sb_etf parts[] = {atom("error"), clause_reason(&t, p)};
    struct sb_etf error = sb_etf_new_tuple(&t.arena, parts, 2);
    sb_term_print(dump, &error, 1, SB_TERM_PARSIFY);
    sb_out_z(dump, ".\n");
    close_terms(&t);
}
