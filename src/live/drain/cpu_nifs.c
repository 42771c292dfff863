#include "live/drain/cpu_nifs.h"
#include <sys/uio.h>

enum { BEGIN = 16 /* words of a function that are looked at */, AT_ONCE = 256 };
struct search {
    struct sb_cpu_code *c;
    uint64_t wanted;
    struct sb_cpu_nif *nif;
    const struct sb_cpu_code_range *range[AT_ONCE];
    size_t n;
};

bool
sb_cpu_nif_calls(struct sb_cpu_code *c, struct sb_cpu_code_place in)
{
    struct sb_str name = sb_intern_text(&c->names, in.name);
    return sb_str_ends(name, SB_STR(":beam_jit_call_nif")) ||
           sb_str_ends(name, SB_STR(":erts_call_dirty_nif"));
}

static void
compare(struct search *s, const struct sb_cpu_code_range *r, const uint64_t word[BEGIN])
{
    struct sb_cpu_code_place now;
    for (size_t i = 0; i < BEGIN && i < (r->to - r->from) / sizeof *word; i++)
        if (word[i] == s->wanted && sb_cpu_code_is_jit(s->c, r->from, &now) && now.name == r->name) {
            s->nif->is_shared = s->nif->is_shared || (s->nif->is_found && s->nif->name != r->name);
            s->nif->is_found = true;
            s->nif->name = r->name;
        }
}

/* What cannot be read, as it was unloaded, is left out. */
static void
look(struct search *s)
{
    uint64_t word[AT_ONCE][BEGIN];
    struct iovec there[AT_ONCE];
    for (size_t i = 0; i < s->n; i++)
        there[i] = (struct iovec){(void *)(uintptr_t)s->range[i]->from, // NOLINT(performance-no-int-to-ptr)
                                  sizeof word[i]};
    for (size_t from = 0; from < s->n;) {
        struct iovec here = {word, (s->n - from) * sizeof *word};
        ssize_t got = process_vm_readv((pid_t)s->c->pid, &here, 1, there + from, s->n - from, 0);
        size_t n = got > 0 ? (size_t)got / sizeof *word : 0;
        for (size_t i = 0; i < n; i++)
            compare(s, s->range[from + i], word[i]);
        from += n + 1;
    }
    s->n = 0;
}

/* Code of a NIF is there before it runs, so only what was told since the last search may be new. */
bool
sb_cpu_nif_at(struct sb_cpu_code *c, uint64_t address, struct sb_cpu_code_place *nif)
{
    struct search s = {.c = c, .wanted = sb_cpu_code_begin(c, address)};
    if (s.wanted == 0)
        return false;
    s.nif = SB_AT_KEY(&c->nif_of, s.wanted, &c->nif, .seen = 0);
    for (size_t i = 0; s.nif->seen < c->jit.n && i < c->jit.n; i++) {
        const struct sb_cpu_code_range *r = &c->jit.at[i];
        if (r->nth >= s.nif->seen && r->kind == SB_CPU_CODE_ERLANG && r->from % sizeof(uint64_t) == 0)
            s.range[s.n++] = r;
        if (s.n == AT_ONCE || i + 1 == c->jit.n)
            look(&s);
    }
    s.nif->seen = (uint32_t)c->jit.n;
    *nif = (struct sb_cpu_code_place){s.nif->name, SB_CPU_CODE_ERLANG};
    return s.nif->is_found && !s.nif->is_shared;
}
