#include "cli/info_profile.h"
#include "cli/info_date.h"
#include "base/json.h"
#include "profile/profile.h"

bool
sb_info_is_profile(const char *path)
{
    struct sb_file f;
    if (!sb_file_open(&f, path, NULL))
        return false;
    bool is = sb_profile_is(f.p, f.n < 4096 ? f.n : 4096);
    sb_file_close(&f);
    return is;
}

static struct sb_str
text(const struct sb_profile *p, enum sb_tab t, unsigned column, uint64_t row)
{
    return sb_profile_text(p, sb_profile_cell(p, t, column, row));
}

static struct sb_str
meta(const struct sb_profile *p, struct sb_str key)
{
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_meta); row++)
        if (sb_str_eq(text(p, SB_T_meta, SB_C_meta__key, row), key))
            return text(p, SB_T_meta, SB_C_meta__value, row);
    return (struct sb_str){0};
}

static void
json_number(struct sb_json *j, struct sb_str key, struct sb_str value)
{
    uint64_t v;
    sb_json_key(j, key);
    if (sb_str_to_u64(value, &v))
        sb_json_u64(j, v);
    else
        sb_json_null(j);
}

/* Sums the losses of a class, which has a row for each node and stream. */
static int64_t
lost(const struct sb_profile *p, int64_t class, uint64_t from)
{
    int64_t sum = 0;
    for (uint64_t row = from; row < sb_profile_rows(p, SB_T_loss); row++) {
        int64_t events = sb_profile_cell(p, SB_T_loss, SB_C_loss__events, row);
        if (sb_profile_cell(p, SB_T_loss, SB_C_loss__class, row) == class && events > 0)
            sum += events;
    }
    return sum;
}

static bool
is_first_of_class(const struct sb_profile *p, int64_t class, uint64_t row)
{
    for (uint64_t i = 0; i < row; i++)
        if (sb_profile_cell(p, SB_T_loss, SB_C_loss__class, i) == class)
            return false;
    return true;
}

static void
json_loss(struct sb_json *j, const struct sb_profile *p)
{
    sb_json_key(j, SB_STR("loss"));
    sb_json_obj(j);
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_loss); row++) {
        int64_t class = sb_profile_cell(p, SB_T_loss, SB_C_loss__class, row);
        if (!is_first_of_class(p, class, row) || lost(p, class, row) == 0)
            continue;
        sb_json_key(j, class == SB_NULL ? SB_STR("unknown") : sb_profile_text(p, class));
        sb_json_i64(j, lost(p, class, row));
    }
    sb_json_end(j);
}

static void
json_damage(struct sb_json *j, const struct sb_profile *p)
{
    struct sb_err e = {0};
    sb_json_key(j, SB_STR("damage"));
    sb_json_arr(j);
    if (sb_profile_damage(p, &e)) {
        sb_json_obj(j);
        sb_json_key(j, SB_STR("what"));
        sb_json_str(j, sb_str_of(e.what));
        sb_json_end(j);
    }
    sb_json_end(j);
}

/* When the first trace began, by the clock of its node. */
static bool
began(const struct sb_profile *p, char date[SB_INFO_DATE])
{
    int64_t t0_ns, at_ns, wall_ns;
    if (sb_profile_rows(p, SB_T_node) == 0 || !sb_str_to_i64(meta(p, SB_STR("t0_ns")), &t0_ns))
        return false;
    int64_t start_ns = sb_profile_cell(p, SB_T_node, SB_C_node__trace_start, 0),
            offset_ns = sb_profile_cell(p, SB_T_node, SB_C_node__clock_offset_ns, 0),
            own_ns = sb_profile_cell(p, SB_T_node, SB_C_node__wall_ns, 0);
    if (start_ns == SB_NULL || own_ns == SB_NULL || __builtin_add_overflow(t0_ns, start_ns, &at_ns) ||
        __builtin_sub_overflow(at_ns, offset_ns == SB_NULL ? 0 : offset_ns, &at_ns) ||
        __builtin_add_overflow(at_ns, own_ns, &wall_ns))
        return false;
    return sb_info_date(wall_ns, date);
}

static void
write_json(const struct sb_profile *p, uint64_t bytes, struct sb_out *out)
{
    struct sb_json j;
    sb_json_open(&j, out, true);
    sb_json_obj(&j);
    sb_json_key(&j, SB_STR("source"));
    sb_json_str(&j, SB_STR("sbp"));
    sb_json_key(&j, SB_STR("version"));
    sb_json_str(&j, meta(p, SB_STR("strobe")));
    sb_json_key(&j, SB_STR("nodes"));
    sb_json_arr(&j);
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_node); row++)
        sb_json_str(&j, text(p, SB_T_node, SB_C_node__name, row));
    sb_json_end(&j);
    json_number(&j, SB_STR("events"), meta(p, SB_STR("events")));
    sb_json_key(&j, SB_STR("bytes"));
    sb_json_u64(&j, bytes);
    json_number(&j, SB_STR("span_ns"), meta(p, SB_STR("span_ns")));
    char date[SB_INFO_DATE];
    sb_json_key(&j, SB_STR("date"));
    if (began(p, date))
        sb_json_str(&j, sb_str_of(date));
    else
        sb_json_null(&j);
    json_loss(&j, p);
    json_damage(&j, p);
    sb_json_key(&j, SB_STR("meta"));
    sb_json_obj(&j);
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_meta); row++) {
        sb_json_key(&j, text(p, SB_T_meta, SB_C_meta__key, row));
        sb_json_str(&j, text(p, SB_T_meta, SB_C_meta__value, row));
    }
    sb_json_end(&j);
    sb_json_key(&j, SB_STR("tables"));
    sb_json_obj(&j);
    for (unsigned t = 0; t < SB_TABLES; t++) {
        sb_json_key(&j, sb_str_of(sb_schema[t].name));
        sb_json_u64(&j, sb_profile_rows(p, (enum sb_tab)t));
    }
    sb_json_end(&j);
    sb_json_end(&j);
}

static void
put_fact(struct sb_out *out, struct sb_arena *a, struct sb_str key, struct sb_str value)
{
    sb_out_printf(out, "%-20.*s %.*s\n", SB_STR_ARG(sb_table_printable(a, key)),
                  SB_STR_ARG(sb_table_printable(a, value)));
}

static void
write_text(const struct sb_profile *p, struct sb_out *out)
{
    static const struct sb_column columns[] = {{"table", SB_TEXT, SB_U_NONE, "name"},
                                               {"rows", SB_INT, SB_U_COUNT, "how many"},
                                               {"what", SB_TEXT, SB_U_NONE, "of what"}};
    struct sb_arena a;
    struct sb_table table;
    char date[SB_INFO_DATE];
    sb_arena_init(&a);
    sb_table_init(&table, &a, columns, 3);
    sb_out_printf(out, "%-20s profile\n", "source");
    if (began(p, date))
        put_fact(out, &a, SB_STR("date"), sb_str_of(date));
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_node); row++)
        put_fact(out, &a, SB_STR("node"), text(p, SB_T_node, SB_C_node__name, row));
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_meta); row++)
        put_fact(out, &a, text(p, SB_T_meta, SB_C_meta__key, row), text(p, SB_T_meta, SB_C_meta__value, row));
    for (unsigned t = 0; t < SB_TABLES; t++) {
        if (sb_profile_rows(p, (enum sb_tab)t) == 0)
            continue;
        union sb_cell *row = sb_table_row(&table);
        row[0].s = sb_str_of(sb_schema[t].name);
        row[1].i = (int64_t)sb_profile_rows(p, (enum sb_tab)t);
        row[2].s = sb_str_of(sb_schema[t].doc);
    }
    sb_out_char(out, '\n');
    sb_table_write(&table, SB_FORMAT_TEXT, out);
    sb_arena_close(&a);
}

bool
sb_info_profile(const char *path, enum sb_format format, struct sb_err *e)
{
    struct sb_profile *p;
    struct sb_file f;
    struct sb_out out;
    SB_TRY(sb_file_open(&f, path, e));
    uint64_t bytes = f.n;
    sb_file_close(&f);
    SB_TRY(sb_profile_open(&p, path, e));
    sb_profile_check(p, NULL); /* reads all of it, so that any damage is reported */
    bool ok = sb_out_open(&out, NULL, e);
    if (ok && format == SB_FORMAT_JSON)
        write_json(p, bytes, &out);
    else if (ok)
        write_text(p, &out);
    ok = ok && sb_out_close(&out, e) && !sb_profile_damage(p, e);
    sb_profile_close(p);
    return ok;
}
