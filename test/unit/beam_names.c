/* Names of functions in a compiled module, in the form of chunk AtU8 before OTP 28 and in the one since. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/bytes.h"
#include "base/vec.h"
#include "live/attach/beam_names.h"
#include "live/drain/beam_code.h"

enum { LONG = 300, ATOMS = 6 };

struct module {
    uint8_t at[2000];
    size_t n;
    struct sb_str atoms; /* the chunk AtU8 */
};

/* `body` is padded to four bytes. */
static void
add_chunk(struct module *m, const char *name, const void *body, uint32_t n)
{
    memcpy(m->at + m->n, name, 4);
    sb_put_be32(m->at + m->n + 4, n);
    memcpy(m->at + m->n + 8, body, n);
    if (name[0] == 'A')
        m->atoms = (struct sb_str){(char *)m->at + m->n + 8, n};
    m->n += 8 + (n + 3) / 4 * 4;
}

/* An atom of 300 bytes fits only the form with lengths of several bytes. */
static const char *
name_of(unsigned i, char room[LONG + 1])
{
    static const char *const name[] = {"m", "start", "a_function_that_is_not_exported", "hidden",
                                       "used_as_a_value"};
    if (i < 5)
        return name[i];
    memset(room, 'x', LONG);
    room[LONG] = 0;
    return room;
}

static void
add_atoms(struct module *m, bool is_long)
{
    uint8_t body[1000];
    char room[LONG + 1];
    unsigned n = is_long ? ATOMS : ATOMS - 1;
    uint32_t at = 4;
    sb_put_be32(body, is_long ? 0u - n : n);
    for (unsigned i = 0; i < n; i++) {
        const char *name = name_of(i, room);
        size_t bytes = strlen(name);
        if (is_long && bytes >= 16)
            body[at++] = (uint8_t)((bytes >> 3 & 0xe0) | 8);
        body[at++] = (uint8_t)(is_long && bytes < 16 ? bytes << 4 : bytes);
        memcpy(body + at, name, bytes);
        at += (uint32_t)bytes;
    }
    add_chunk(m, "AtU8", body, at);
}

/* m:start/0, and two functions that are not exported, of which one returns an atom. */
static void
make(struct module *m, bool is_long)
{
    enum { FUNC_INFO = 2, END = 3, RETURN = 19, MOVE = 64, ATOM = 2, X0 = 3 };
    static const uint8_t exported[] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1};
    static const uint8_t code[] = {0,
                                   0,
                                   0,
                                   0,
                                   FUNC_INFO,
                                   1 << 4 | ATOM,
                                   2 << 4 | ATOM,
                                   0,
                                   RETURN,
                                   FUNC_INFO,
                                   1 << 4 | ATOM,
                                   3 << 4 | ATOM,
                                   0,
                                   RETURN,
                                   FUNC_INFO,
                                   1 << 4 | ATOM,
                                   4 << 4 | ATOM,
                                   0,
                                   MOVE,
                                   5 << 4 | ATOM,
                                   X0,
                                   RETURN,
                                   END};
    memcpy(m->at, "FOR1....BEAM", m->n = 12);
    add_atoms(m, is_long);
    add_chunk(m, "Code", code, sizeof code);
    add_chunk(m, "ExpT", exported, sizeof exported);
    sb_put_be32(m->at + 4, (uint32_t)m->n - 8);
}

struct read {
    struct sb_str atom[ATOMS];
    unsigned n;
};

static void
note(void *ctx, struct sb_str text)
{
    struct read *r = ctx;
    assert_true(r->n < ATOMS);
    r->atom[r->n++] = text;
}

static void
shorten(bool is_long)
{
    struct module m;
    uint8_t to[3 * sizeof m.at];
    make(&m, is_long);
    char room[LONG + 1];
    size_t n = sb_beam_names_shorten(to, m.at, m.n, m.atoms);
    struct sb_str chunk = {(char *)to, n};
    struct read r = {0};
    assert_true(n > 0 && n < m.atoms.n);
    assert_int_equal(sb_beam_has_long_atoms(chunk), is_long);
    assert_true(sb_beam_read_atoms(chunk, note, &r));
    assert_int_equal(r.n, is_long ? ATOMS : ATOMS - 1);
    for (unsigned i = 0; i < r.n; i++)
        assert_true(sb_str_eq(r.atom[i], sb_str_of(i == 2 || i == 3 ? "local" : name_of(i, room))));
}

static void
test_short_lengths(void **state)
{
    (void)state;
    shorten(false);
}

static void
test_long_lengths(void **state)
{
    (void)state;
    shorten(true);
}

/* A module that is cut off anywhere in its atoms is left as it is. */
static void
test_cut_off(void **state)
{
    (void)state;
    for (int is_long = 0; is_long < 2; is_long++) {
        struct module m;
        uint8_t to[3 * sizeof m.at];
        make(&m, is_long);
        for (size_t n = 0; n < m.atoms.n; n++)
            assert_int_equal(sb_beam_names_shorten(to, m.at, m.n, sb_str_sub(m.atoms, 0, n)), 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_lengths),
        cmocka_unit_test(test_long_lengths),
        cmocka_unit_test(test_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
