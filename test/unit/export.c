/* The wire formats below the exporters, and every exporter over a small profile: whole, and what it claims to
 * be. */
#include "export/export.h"
#include "export/gzip.h"
#include "export/protobuf.h"
#include "profile/build.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- protobuf: what is written must read back, whatever the lengths */

static const uint8_t *
read_varint(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    *v = 0;
    for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
        *v |= (uint64_t)(*p & 0x7f) << shift;
        if (!(*p++ & 0x80))
            return p;
    }
    fail_msg("a varint without an end");
    return end;
}

/* message d: field 1 is d, field 2 a text of d * 60 bytes, field 3 message d - 1 */
static void
write_message(struct sb_pb *b, unsigned d, const char *text)
{
    sb_pb_u64(b, 1, d);
    sb_pb_str(b, 2, (struct sb_str){text, d * 60});
    if (d == 0)
        return;
    sb_pb_begin(b, 3);
    write_message(b, d - 1, text);
    sb_pb_end(b);
}

static void
read_message(const uint8_t *p, const uint8_t *end, unsigned d)
{
    uint64_t tag, v;
    p = read_varint(p, end, &tag);
    p = read_varint(p, end, &v);
    assert_int_equal(tag, 1 << 3);
    assert_int_equal(v, d);
    p = read_varint(p, end, &tag);
    p = read_varint(p, end, &v);
    assert_int_equal(tag, 2 << 3 | 2);
    assert_int_equal(v, d * 60);
    p += v;
    assert_true(p <= end);
    if (d == 0) {
        assert_ptr_equal(p, end);
        return;
    }
    p = read_varint(p, end, &tag);
    p = read_varint(p, end, &v);
    assert_int_equal(tag, 3 << 3 | 2);
    assert_ptr_equal(p + v, end);
    read_message(p, end, d - 1);
}

static void
test_protobuf(void **state)
{
    (void)state;
    struct sb_pb b = {0};
    char text[SB_PB_DEPTH * 60];
    memset(text, 'x', sizeof text);
    for (unsigned d = 0; d < SB_PB_DEPTH; d++) {
        b.n = 0;
        write_message(&b, d, text);
        read_message(b.at, b.at + b.n, d);
    }
    b.n = 0;
    sb_pb_str(&b, 1, SB_STR("a\xff\x62"));
    assert_int_equal(b.n, 7);
    assert_memory_equal(b.at,
                        "\x0a\x05"
                        "a\xef\xbf\xbd"
                        "b",
                        7);
    b.n = 0;
    sb_pb_i64(&b, 1, -1);
    assert_int_equal(b.n, 11);
    sb_pb_close(&b);
}

static void
test_gzip(void **state)
{
    (void)state;
    struct sb_gzip *g = malloc(sizeof *g);
    struct sb_out out;
    struct sb_err e;
    static char text[300000], back[sizeof text + 1];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i * i >> 7);
    sb_out_to_memory(&out);
    assert_true(sb_gzip_open(g, &out, &e));
    sb_gzip_bytes(g, text, 100000);
    sb_gzip_bytes(g, text + 100000, sizeof text - 100000);
    assert_true(sb_gzip_close(g, &e));
    z_stream z = {.next_in = (Bytef *)out.buf,
                  .avail_in = (uInt)out.n,
                  .next_out = (Bytef *)back,
                  .avail_out = sizeof back};
    assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.total_out, sizeof text);
    assert_memory_equal(back, text, sizeof text);
    inflateEnd(&z);
    sb_out_abandon(&out);
    free(g);
}

/* ---- every exporter */

static char dir[64];

static void
make_profile(const char *path, bool empty)
{
    struct sb_build *b;
    struct sb_err e;
    int64_t c[64];
    assert_true(sb_build_open(&b, path, &e));
    for (int64_t id = 1; id <= 3 && !empty; id++) {
        int64_t f = sb_build_text(b, SB_STR("'q\"<;&>':f/1"));
        for (size_t i = 0; i < 64; i++)
            c[i] = SB_NULL;
        c[SB_C_process__id] = id;
        c[SB_C_process__pid] = sb_build_text(b, SB_STR("<0.1.0>"));
        c[SB_C_process__run_ns] = 10;
        sb_build_row(b, SB_T_process, c);
        for (size_t i = 0; i < 64; i++)
            c[i] = SB_NULL;
        c[SB_C_slice__process] = id;
        c[SB_C_slice__scheduler] = 7; /* which has no row */
        c[SB_C_slice__start] = id * 100;
        c[SB_C_slice__dur] = id == 2 ? 0 : 10;
        c[SB_C_slice__out_function] = f;
        sb_build_row(b, SB_T_slice, c);
        for (size_t i = 0; i < 64; i++)
            c[i] = SB_NULL;
        c[SB_C_call_node__id] = id;
        c[SB_C_call_node__parent] = id % 3 + 1; /* a circle, as only a damaged profile has it */
        c[SB_C_call_node__process] = 1;
        c[SB_C_call_node__mfa] = f;
        c[SB_C_call_node__own_ns] = 5;
        sb_build_row(b, SB_T_call_node, c);
        for (size_t i = 0; i < 64; i++)
            c[i] = SB_NULL;
        c[SB_C_message__sender] = id == 3 ? SB_NULL : id;
        c[SB_C_message__receiver] = id + 1; /* the last has no such process */
        c[SB_C_message__sent] = id * 100;
        sb_build_row(b, SB_T_message, c);
    }
    assert_true(sb_build_close(b, &e));
}

static void
check_file(const struct sb_exporter *x, const char *path)
{
    struct sb_file f;
    struct sb_err e;
    assert_true(sb_file_open(&f, path, &e));
    if (sb_str_ends(sb_str_of(x->suffix), SB_STR(".json"))) {
        json_error_t why;
        json_t *j = json_load_file(path, 0, &why);
        if (!j)
            fail_msg("%s: %s at %d", x->name, why.text, why.position);
        json_decref(j);
    }
    if (strcmp(x->name, "parquet") == 0) {
        assert_memory_equal(f.p, "PAR1", 4);
        assert_memory_equal(f.p + f.n - 4, "PAR1", 4);
    }
    sb_file_close(&f);
    unlink(path);
}

static void
export_all(const char *profile, const struct sb_export_options *options)
{
    struct sb_profile *p;
    struct sb_err e = {0};
    char path[128];
    assert_true(sb_profile_open(&p, profile, &e));
    for (size_t i = 0; i < sb_n_exporters; i++) {
        const struct sb_exporter *x = sb_exporters[i];
        struct sb_export_options o = *options;
        struct sb_str rest = sb_str_of(x->what);
        char what[32];
        o.table = x->per_table ? "slice" : NULL;
        if (x->write_folder)
            continue;
        do {
            struct sb_str word = sb_str_cut(&rest, ' ');
            snprintf(what, sizeof what, "%.*s", SB_STR_ARG(word));
            o.what = word.n ? what : NULL;
            snprintf(path, sizeof path, "%s/out%s", dir, x->suffix);
            if (sb_export(x, p, &o, path, &e))
                check_file(x, path);
            else
                assert_true(e.what[0] &&
                            access(path, F_OK) != 0); /* refused, with a reason and nothing written */
        } while (rest.n > 0);
    }
    sb_profile_close(p);
}

static void
test_exporters(void **state)
{
    (void)state;
    struct sb_export_note note = {{0}};
    const int64_t one[] = {2};
    struct sb_export_options o = {.since_ns = SB_NULL, .until_ns = SB_NULL, .note = &note};
    char full[128], empty[128];
    strcpy(dir, "/tmp/strobe-export-XXXXXX");
    assert_non_null(mkdtemp(dir));
    snprintf(full, sizeof full, "%s/full.sbp", dir);
    snprintf(empty, sizeof empty, "%s/empty.sbp", dir);
    make_profile(full, false);
    make_profile(empty, true);
    export_all(full, &o);
    export_all(empty, &o);
    o.process = one;
    o.n_process = 1;
    export_all(full, &o);
    o.since_ns = 105;
    o.until_ns = 305;
    export_all(full, &o);
    o.n_process = 0;
    export_all(full, &o);
    unlink(full);
    unlink(empty);
    rmdir(dir);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_protobuf),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_exporters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
