/* Which functions wait, of a node whose code path has no .beam file of any of them, as in a release. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/varint.h"
#include "live/drain/waits.h"

struct dictionary {
    _Alignas(8) uint8_t at[4096];
    uint64_t n;
    uint32_t atoms;
};

static void
add(struct dictionary *d, struct sb_dict_entry e, const char *bytes)
{
    e.n = (uint16_t)strlen(bytes);
    assert_true(d->n + sb_dict_entry_bytes(e.n) <= sizeof d->at);
    memcpy(d->at + d->n, &e, sizeof e);
    memcpy(d->at + d->n + sizeof e, bytes, e.n);
    d->n += sb_dict_entry_bytes(e.n);
}

static void
add_function(struct dictionary *d, const char *module, const char *name, uint8_t arity)
{
    add(d, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, module);
    add(d, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, name);
    d->atoms += 2;
    add(d, (struct sb_dict_entry){.kind = SB_DICT_MFA, .arity = arity, .a = d->atoms - 1, .b = d->atoms}, "");
}

/* kind[id]: the kind of the function in the records; -1: no record. */
static void
read_records(const struct sb_waits *w, int64_t *kind, size_t n)
{
    const uint8_t *p = w->made.records.at, *end = p + w->made.records.n;
    for (size_t i = 0; i < n; i++)
        kind[i] = -1;
    while (p < end) {
        uint64_t id = 0, value = 0, line = 0;
        p += 2; /* kind and time */
        assert_true(sb_varint_get(&p, end, &id) && sb_varint_get(&p, end, &value));
        p += 1 + *p; /* the file */
        assert_true(sb_varint_get(&p, end, &line));
        assert_true(id < n);
        kind[id] = (int64_t)value - 1;
    }
}

static void
preloaded_modules_are_known(void **state)
{
    (void)state;
    enum { NEVER, WAITS };
    struct dictionary d = {.n = 0};
    struct sb_waits w = {0};
    int64_t kind[8];
    add_function(&d, "erl_prim_loader", "loop", 3);
    add_function(&d, "erl_prim_loader", "check_file_result", 3);
    add_function(&d, "erts_dirty_process_signal_handler", "msg_loop", 0);
    add_function(&d, "init", "boot_loop", 2);
    add_function(&d, "prim_file", "read_file", 1);
    add_function(&d, "erlang", "hibernate", 3);
    add_function(&d, "my_release_server", "loop", 1);
    sb_waits_find(&w, d.at, d.n, NULL);
    read_records(&w, kind, 8);
    assert_int_equal(kind[1], WAITS);
    assert_int_equal(kind[2], NEVER);
    assert_int_equal(kind[3], WAITS);
    assert_int_equal(kind[4], WAITS);
    assert_int_equal(kind[5], NEVER);
    assert_int_equal(kind[6], WAITS);
    assert_int_equal(kind[7], -1); /* no record */
    sb_made_close(&w.made);
    SB_VEC_FREE(&w.names);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(preloaded_modules_are_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
