#include "live/attach/push.h"
#include "base/bytes.h"
#include "base/file.h"
#include "live/attach/beam_names.h"
#include <elf.h>
#include <stdlib.h>
#include <zlib.h>

enum { VERSION = 131, COMPRESSED = 80, SIZE_BYTES = 4, IFF_HEAD = 12, CHUNK_HEAD = 8 };

/* ---- modules: "FOR1", size, "BEAM", and chunks: name, size, bytes, padding to four */

static bool
is_needed(const uint8_t *chunk)
{
    static const char *const unneeded[] = {"Dbgi", "Docs", "Abst", "CInf", "Line", "LocT"};
    for (unsigned i = 0; i < sizeof unneeded / sizeof *unneeded; i++)
        if (memcmp(chunk, unneeded[i], 4) == 0)
            return false;
    return true;
}

/* Writes the chunk of atoms without the names of functions that are not exported. Returns 0 if it cannot. */
static size_t
put_atoms(uint8_t *to, const uint8_t *module, uint64_t n, const uint8_t *chunk)
{
    struct sb_str atoms = {(const char *)chunk + CHUNK_HEAD, sb_get_be32(chunk + 4)};
    size_t bytes = sb_beam_names_shorten(to + CHUNK_HEAD, module, n, atoms);
    if (bytes == 0)
        return 0;
    memcpy(to, chunk, 4);
    sb_put_be32(to + 4, (uint32_t)bytes);
    memset(to + CHUNK_HEAD + bytes, 0, (4 - bytes % 4) % 4);
    return CHUNK_HEAD + ((bytes + 3) & ~(size_t)3);
}

/* Copies the needed chunks; returns the new size, 0 if this is no BEAM file. */
static size_t
strip_beam(uint8_t *to, const uint8_t *p, uint64_t n)
{
    if (n < IFF_HEAD || memcmp(p, "FOR1", 4) != 0 || memcmp(p + 8, "BEAM", 4) != 0)
        return 0;
    memcpy(to, p, IFF_HEAD);
    size_t at = IFF_HEAD;
    for (uint64_t i = IFF_HEAD; i + CHUNK_HEAD <= n;) {
        uint64_t bytes = CHUNK_HEAD + (((uint64_t)sb_get_be32(p + i + 4) + 3) & ~(uint64_t)3);
        if (bytes > n - i)
            return 0;
        size_t renamed = memcmp(p + i, "AtU8", 4) == 0 ? put_atoms(to + at, p, n, p + i) : 0;
        if (renamed == 0 && is_needed(p + i))
            memcpy(to + at, p + i, bytes);
        at += renamed ? renamed : is_needed(p + i) ? bytes : 0;
        i += bytes;
    }
    sb_put_be32(to + 4, (uint32_t)at - 8);
    return at;
}

static bool
open_in(struct sb_file *f, const char *folder, const char *name, const char *suffix, struct sb_err *e)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    return sb_file_open(f, path, e);
}

bool
sb_push_encode_beam(ei_x_buff *x, const char *folder, const char *name, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(open_in(&f, folder, name, ".beam", e));
    uint8_t *bytes = sb_realloc_or_die(NULL, f.n * SB_BEAM_NAMES_GROWTH + 1);
    size_t n = strip_beam(bytes, f.p, f.n);
    if (n > 0)
        ei_x_encode_binary(x, bytes, (int)n);
    free(bytes);
    sb_file_close(&f);
    return n > 0 || sb_err_set(e, SB_ERR_INPUT, "%s.beam in %s is not a compiled module", name, folder);
}

/* ---- libraries */

/* The part of an ELF file that is loaded: sections serve debuggers and linkers, and follow it. */
static uint64_t
loaded_part(const struct sb_file *f)
{
    Elf64_Ehdr h;
    uint64_t end = 0;
    if (f->n < sizeof h)
        return f->n;
    memcpy(&h, f->p, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
        h.e_phentsize != sizeof(Elf64_Phdr) || h.e_phoff > f->n ||
        (f->n - h.e_phoff) / sizeof(Elf64_Phdr) < h.e_phnum)
        return f->n;
    for (unsigned i = 0; i < h.e_phnum; i++) {
        Elf64_Phdr p;
        memcpy(&p, f->p + h.e_phoff + i * sizeof p, sizeof p);
        uint64_t last = p.p_filesz && p.p_type != PT_NULL ? p.p_offset + p.p_filesz : 0;
        end = last > end ? last : end;
    }
    return end > 0 && end < f->n ? end : f->n;
}

static void
forget_sections(uint8_t *elf)
{
    Elf64_Ehdr h;
    memcpy(&h, elf, sizeof h);
    h.e_shoff = 0;
    h.e_shnum = h.e_shstrndx = 0;
    memcpy(elf, &h, sizeof h);
}

/* ---- the whole */

void
sb_push_init(struct sb_push *p)
{
    *p = (struct sb_push){0};
    ei_x_new(&p->terms);
}

void
sb_push_free(struct sb_push *p)
{
    ei_x_free(&p->terms);
}

static void
begin_entry(struct sb_push *p, const char *kind)
{
    p->n++;
    ei_x_encode_tuple_header(&p->terms, 3);
    ei_x_encode_atom(&p->terms, kind);
}

bool
sb_push_module(struct sb_push *p, const char *folder, const char *name, struct sb_err *e)
{
    begin_entry(p, "module");
    ei_x_encode_atom(&p->terms, name);
    return sb_push_encode_beam(&p->terms, folder, name, e);
}

bool
sb_push_file(struct sb_push *p, const char *folder, const char *name, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(open_in(&f, folder, name, "", e));
    uint64_t n = loaded_part(&f);
    uint8_t *bytes = sb_realloc_or_die(NULL, n + 1);
    memcpy(bytes, f.p, n);
    if (n < f.n)
        forget_sections(bytes);
    begin_entry(p, "file");
    ei_x_encode_string(&p->terms, name);
    ei_x_encode_binary(&p->terms, bytes, (int)n);
    free(bytes);
    sb_file_close(&f);
    return true;
}

struct sb_str
sb_push_compress(const ei_x_buff *term, struct sb_arena *a)
{
    const uint8_t *plain = (const uint8_t *)term->buff + 1;
    uLong plain_bytes = (uLong)term->index - 1;
    uLongf n = compressBound(plain_bytes);
    uint8_t *whole = SB_NEW_N(a, uint8_t, 2 + SIZE_BYTES + n);
    whole[0] = VERSION;
    whole[1] = COMPRESSED;
    sb_put_be32(whole + 2, (uint32_t)plain_bytes);
    SB_ASSERT(compress2(whole + 2 + SIZE_BYTES, &n, plain, plain_bytes, Z_BEST_COMPRESSION) == Z_OK);
    return (struct sb_str){(const char *)whole, 2 + SIZE_BYTES + n};
}

struct sb_str
sb_push_pack(const struct sb_push *p, struct sb_arena *a)
{
    SB_TERM(x);
    ei_x_encode_list_header(&x, p->n);
    ei_x_append_buf(&x, p->terms.buff, p->terms.index);
    ei_x_encode_empty_list(&x);
    struct sb_str whole = sb_push_compress(&x, a);
    return whole;
}
