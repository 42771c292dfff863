#include "live/drain/cpu_unwind.h"
#include "base/order.h"

enum { BP = 6, SP = 7, NESTED = 8, POINTER_RELATIVE = 0x1b /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */ };

/* ---- reading: past the end all is 0, and `bad` says so */

struct reader {
    const uint8_t *p, *end;
    bool bad;
};

static bool
skip(struct reader *r, uint64_t n)
{
    bool ok = n <= (uint64_t)(r->end - r->p);
    r->bad = r->bad || !ok;
    r->p = ok ? r->p + n : r->end;
    return ok;
}

static uint64_t
take(struct reader *r, size_t n) /* of up to 8 bytes */
{
    uint64_t v = 0;
    const uint8_t *from = r->p;
    if (skip(r, n))
        memcpy(&v, from, n);
    return v;
}

static uint64_t
take_leb(struct reader *r, bool is_signed)
{
    uint64_t v = 0, byte;
    unsigned shift = 0;
    do {
        byte = take(r, 1);
        v |= shift < 64 ? (byte & 0x7f) << shift : 0;
        shift += 7;
    } while (byte & 0x80);
    return is_signed && byte & 0x40 && shift < 64 ? v | ~0ull << shift : v;
}

static struct reader
at(const struct sb_cpu_frames *f, size_t from, size_t to)
{
    return (struct reader){f->bytes + from, f->bytes + to, false};
}

/* ---- entries: a CIE holds what FDEs share, an FDE is of a function */

struct entry {
    size_t at, body, end; /* body: behind the length and the reference */
    uint32_t back;        /* 0: a CIE; else the distance of its CIE */
};

static bool
next_entry(const struct sb_cpu_frames *f, size_t from, struct entry *e)
{
    struct reader r = at(f, from, f->n);
    uint64_t n = take(&r, 4);
    if (r.bad || n < 4 || n > (size_t)(r.end - r.p))
        return false;
    *e = (struct entry){from, from + 8, from + 4 + n, (uint32_t)take(&r, 4)};
    return true;
}

struct cie {
    int64_t data_align;
    uint64_t code_align;
    struct reader program;
};

static bool
read_cie(const struct sb_cpu_frames *f, size_t from, struct cie *c)
{
    struct entry e;
    if (!next_entry(f, from, &e) || e.back != 0)
        return false;
    struct reader r = at(f, e.body, e.end);
    uint64_t version = take(&r, 1);
    const char *kinds = (const char *)r.p;
    while (take(&r, 1) != 0)
        ;
    if (r.bad || version != 1 || kinds[0] != 'z')
        return false;
    c->code_align = take_leb(&r, false);
    c->data_align = (int64_t)take_leb(&r, true);
    bool is_usual = take(&r, 1) == 16; /* the column of the return address */
    uint64_t n = take_leb(&r, false);
    if (r.bad || n > (size_t)(r.end - r.p))
        return false;
    c->program = (struct reader){r.p + n, r.end, false};
    for (const char *k = kinds + 1; *k && is_usual; k++) {
        uint64_t encoding = *k == 'S' ? 0 : take(&r, 1);
        if (*k == 'P')
            take(&r, (encoding & 0xf) == 0xb || (encoding & 0xf) == 3 ? 4 : 8);
        is_usual = *k == 'R' ? encoding == POINTER_RELATIVE : *k == 'L' || *k == 'P';
    }
    return is_usual && !r.bad;
}

SB_ORDER(by_address, struct sb_cpu_function_frame, SB_UP(from))

static void
list_functions(struct sb_cpu_frames *f)
{
    struct entry e;
    struct cie c;
    size_t known = SIZE_MAX;
    for (size_t i = 0; next_entry(f, i, &e); i = e.end) {
        if (e.back == 0 || e.back > e.at + 4)
            continue;
        size_t cie = e.at + 4 - e.back;
        if (cie != known && !read_cie(f, cie, &c))
            continue;
        known = cie;
        struct reader r = at(f, e.body, e.end);
        uint64_t from = f->address + e.body + (uint64_t)(int64_t)(int32_t)take(&r, 4), n = take(&r, 4);
        if (f->n_functions == f->cap_functions) {
            f->cap_functions = f->cap_functions ? 2 * f->cap_functions : 1024;
            f->function =
                sb_realloc_or_die(f->function, sb_mul_or_die(sizeof *f->function, f->cap_functions));
        }
        f->function[f->n_functions++] = (struct sb_cpu_function_frame){from, from + n, cie, e.at};
    }
    if (f->n_functions > 1)
        qsort(f->function, f->n_functions, sizeof *f->function, by_address);
}

void
sb_cpu_frames_read(struct sb_cpu_frames *f, const struct sb_cpu_elf *e)
{
    const Elf64_Shdr *s = sb_cpu_elf_section(e, ".eh_frame");
    const uint8_t *p = s ? sb_cpu_elf_at(e, s->sh_offset, s->sh_size, 1) : NULL;
    *f = (struct sb_cpu_frames){0};
    if (!p || e->head->e_machine != EM_X86_64 || s->sh_size == 0)
        return;
    f->n = s->sh_size;
    f->address = s->sh_addr;
    f->bytes = sb_realloc_or_die(NULL, f->n);
    memcpy(f->bytes, p, f->n);
    list_functions(f);
}

void
sb_cpu_frames_close(struct sb_cpu_frames *f)
{
    free(f->bytes);
    free(f->function);
    sb_map_close(&f->rule);
}

/* ---- rules */

struct rule {
    uint64_t reg, offset; /* of the canonical frame address: BP or SP */
    int64_t bp_at;        /* from there; 0: the register was not touched */
};
struct machine {
    struct rule now, first, saved[NESTED];
    size_t n_saved;
    uint64_t place, target;
    const struct cie *cie;
};

static void
set_register(struct machine *m, uint64_t reg, int64_t factored)
{
    if (reg == BP)
        m->now.bp_at = factored * m->cie->data_align;
}

/* False: an instruction that no compiler writes for a function, or one that computes. */
static bool
run_long(struct machine *m, struct reader *r, uint64_t op)
{
    uint64_t reg;
    switch (op) {
    case 0x00: /* nop */
        return true;
    case 0x02:
    case 0x03:
    case 0x04: /* advance_loc1, 2, 4 */
        m->place += take(r, (size_t)1 << (op - 2)) * m->cie->code_align;
        return true;
    case 0x05: /* offset_extended */
        reg = take_leb(r, false);
        set_register(m, reg, (int64_t)take_leb(r, false));
        return true;
    case 0x0a: /* remember_state */
        m->saved[m->n_saved < NESTED ? m->n_saved : 0] = m->now;
        return m->n_saved++ < NESTED;
    case 0x0b: /* restore_state */
        if (m->n_saved == 0)
            return false;
        m->now = m->saved[--m->n_saved];
        return true;
    case 0x0c: /* def_cfa */
        m->now.reg = take_leb(r, false);
        m->now.offset = take_leb(r, false);
        return true;
    case 0x0d: /* def_cfa_register */
        m->now.reg = take_leb(r, false);
        return true;
    case 0x0e: /* def_cfa_offset */
        m->now.offset = take_leb(r, false);
        return true;
    case 0x2e: /* GNU_args_size */
        take_leb(r, false);
        return true;
    default:
        return false;
    }
}

/* Runs the program up to the address. */
static bool
run(struct machine *m, struct reader r)
{
    while (r.p < r.end) {
        uint64_t op = take(&r, 1), low = op & 0x3f;
        bool ok = true;
        if (op >> 6 == 1)
            m->place += low * m->cie->code_align;
        else if (op >> 6 == 2)
            set_register(m, low, (int64_t)take_leb(&r, false));
        else if (op >> 6 == 3)
            m->now.bp_at = low == BP ? m->first.bp_at : m->now.bp_at;
        else
            ok = run_long(m, &r, op);
        if (!ok || r.bad)
            return false;
        if (m->place > m->target)
            return true;
    }
    return true;
}

static const struct sb_cpu_function_frame *
function_of(const struct sb_cpu_frames *f, uint64_t address)
{
    size_t low = 0, high = f->n_functions;
    SB_SEARCH(low, high, f->function[mid].from <= address);
    return low > 0 && address < f->function[low - 1].to ? &f->function[low - 1] : NULL;
}

uint64_t
sb_cpu_frames_begin(const struct sb_cpu_frames *f, uint64_t address)
{
    const struct sb_cpu_function_frame *in = function_of(f, address);
    return in ? in->from : 0;
}

static bool
find_rule(const struct sb_cpu_frames *f, uint64_t address, struct rule *rule)
{
    const struct sb_cpu_function_frame *in = function_of(f, address);
    struct cie cie;
    struct entry e;
    if (!in || !read_cie(f, in->cie, &cie) || !next_entry(f, in->fde, &e))
        return false;
    struct machine m = {.place = in->from, .target = UINT64_MAX, .cie = &cie};
    if (!run(&m, cie.program))
        return false;
    m.first = m.now;
    m.target = address;
    struct reader r = at(f, e.body + 8, e.end); /* behind the range */
    if (!skip(&r, take_leb(&r, false)) || !run(&m, r))
        return false;
    *rule = m.now;
    return rule->reg == BP || rule->reg == SP;
}

/* Rules are kept in a word each: known, register, both offsets in words. */
enum { KNOWN = 1u << 31, IS_BP = 1u << 30, MOST_WORDS = 1 << 15 };

static uint32_t
pack(const struct rule *r)
{
    uint64_t words = r->offset / 8, bp = (uint64_t)-r->bp_at / 8;
    if (r->offset % 8 || words >= MOST_WORDS || r->bp_at > 0 || r->bp_at % 8 || bp >= MOST_WORDS)
        return 0;
    return KNOWN | (r->reg == BP ? IS_BP : 0) | (uint32_t)(words << 15) | (uint32_t)bp;
}

bool
sb_cpu_stack_word(const struct sb_cpu_stack *s, uint64_t address, uint64_t *word)
{
    uint64_t at = address - s->from;
    if (address < s->from || at % 8 || at / 8 >= s->n)
        return false;
    *word = s->word[at / 8];
    return true;
}

bool
sb_cpu_unwind(struct sb_cpu_frames *f, uint64_t address, const struct sb_cpu_stack *s, struct sb_cpu_regs *r)
{
    struct rule rule;
    bool is_new;
    uint32_t *kept = sb_map_put(&f->rule, address, &is_new);
    if (is_new)
        *kept = find_rule(f, address, &rule) ? pack(&rule) : 0;
    if (!(*kept & KNOWN))
        return false;
    uint64_t cfa = (*kept & IS_BP ? r->bp : r->sp) + (uint64_t)(*kept >> 15 & (MOST_WORDS - 1)) * 8,
             bp_at = (uint64_t)(*kept & (MOST_WORDS - 1)) * 8;
    if (cfa <= r->sp || !sb_cpu_stack_word(s, cfa - 8, &r->ip) ||
        (bp_at && !sb_cpu_stack_word(s, cfa - bp_at, &r->bp)))
        return false;
    r->sp = cfa;
    return true;
}
