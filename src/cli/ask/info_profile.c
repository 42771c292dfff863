#include "cli/ask/info_profile.h"
#include "answer/losses.h"
#include "base/date.h"
#include "base/json.h"
#include "profile/scan_row.h"

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

/* Calls `each` with the texts of two columns, row by row. */
static void
each_row(const struct sb_profile *p, enum sb_tab t, unsigned first, unsigned second,
         void (*each)(void *ctx, struct sb_str first, struct sb_str second), void *ctx)
{
    struct sb_scan s;
    sb_scan_open(&s, p, t);
    unsigned a = sb_scan_want(&s, first), b = sb_scan_want(&s, second);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        each(ctx, sb_profile_text(p, s.value[a][i]), sb_profile_text(p, s.value[b][i]));
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

static void
json_loss(struct sb_json *j, const struct sb_profile *p)
{
    struct sb_losses l = sb_losses_find(p);
    SB_JSON(j, "loss", obj);
    for (size_t i = 0; i < l.n; i++) {
        sb_json_key(j, l.of[i].class);
        sb_json_i64(j, l.of[i].events);
    }
    sb_json_end(j);
}

static void
json_damage(struct sb_json *j, const struct sb_profile *p)
{
    struct sb_err e = {0};
    SB_JSON(j, "damage", arr);
    if (sb_profile_damage(p, &e)) {
        sb_json_obj(j);
        SB_JSON(j, "what", str, sb_str_of(e.what));
        sb_json_end(j);
    }
    sb_json_end(j);
}

static void
json_node(void *json, struct sb_str name, struct sb_str again)
{
    (void)again;
    sb_json_str(json, name);
}

static void
json_fact(void *json, struct sb_str key, struct sb_str value)
{
    sb_json_key(json, key);
    sb_json_str(json, value);
}

static void
write_json(const struct sb_profile *p, uint64_t bytes, struct sb_out *out)
{
    struct sb_json j;
    sb_json_open(&j, out, true);
    sb_json_obj(&j);
    SB_JSON(&j, "source", str, SB_STR("sbp"));
    SB_JSON(&j, "version", str, sb_profile_meta(p, SB_STR("strobe")));
    SB_JSON(&j, "nodes", arr);
    each_row(p, SB_T_node, SB_C_node__name, SB_C_node__name, json_node, &j);
    sb_json_end(&j);
    json_number(&j, SB_STR("events"), sb_profile_meta(p, SB_STR("events")));
    SB_JSON(&j, "bytes", u64, bytes);
    json_number(&j, SB_STR("span_ns"), sb_profile_meta(p, SB_STR("span_ns")));
    char date[SB_DATE];
    SB_JSON(&j, "date", text, sb_str_of(sb_date(sb_profile_wall_ns(p), date) ? date : NULL));
    json_loss(&j, p);
    json_damage(&j, p);
    SB_JSON(&j, "meta", obj);
    each_row(p, SB_T_meta, SB_C_meta__key, SB_C_meta__value, json_fact, &j);
    sb_json_end(&j);
    SB_JSON(&j, "tables", obj);
    for (unsigned t = 0; t < SB_TABLES; t++)
        SB_JSON(&j, sb_schema[t].name, u64, sb_profile_rows_told(p, (enum sb_tab)t));
    sb_json_end(&j);
    sb_json_end(&j);
}

struct facts {
    struct sb_out *out;
    struct sb_arena *arena;
};

static void
put_fact(void *ctx, struct sb_str key, struct sb_str value)
{
    const struct facts *f = ctx;
    sb_out_printf(f->out, "%-20.*s %.*s\n", SB_STR_ARG(sb_table_printable(f->arena, key)),
                  SB_STR_ARG(sb_table_printable(f->arena, value)));
}

static void
put_node(void *ctx, struct sb_str name, struct sb_str again)
{
    (void)again;
    put_fact(ctx, SB_STR("node"), name);
}

/* Why a flight recorder wrote the trace: the marks that no process set. */
static void
put_triggers(const struct sb_profile *p, struct facts *f)
{
    SB_SCAN(s, p, mark, process, text);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[process][i] == SB_NULL)
            put_fact(f, SB_STR("trigger"), sb_profile_text(p, s.value[text][i]));
}

static void
write_text(const struct sb_profile *p, struct sb_out *out)
{
    static const struct sb_column columns[] = {{"table", SB_TEXT, SB_U_NONE, "name"},
                                               {"rows", SB_INT, SB_U_COUNT, "how many"},
                                               {"what", SB_TEXT, SB_U_NONE, "of what"}};
    SB_ARENA(a);
    struct facts facts = {out, &a};
    struct sb_table table;
    char date[SB_DATE];
    sb_table_init(&table, &a, columns, 3);
    put_triggers(p, &facts);
    sb_out_printf(out, "%-20s profile\n", "source");
    if (sb_date(sb_profile_wall_ns(p), date))
        put_fact(&facts, SB_STR("date"), sb_str_of(date));
    each_row(p, SB_T_node, SB_C_node__name, SB_C_node__name, put_node, &facts);
    each_row(p, SB_T_meta, SB_C_meta__key, SB_C_meta__value, put_fact, &facts);
    struct sb_losses lost = sb_losses_find(p);
    put_fact(&facts, SB_STR("lost"), lost.n > 0 ? sb_losses_text(&lost, &a) : SB_STR("nothing"));
    for (unsigned t = 0; t < SB_TABLES; t++) {
        if (sb_profile_rows_told(p, (enum sb_tab)t) == 0)
            continue;
        SB_ROW(&table, {.s = sb_str_of(sb_schema[t].name)},
               {.i = (int64_t)sb_profile_rows_told(p, (enum sb_tab)t)}, {.s = sb_str_of(sb_schema[t].doc)});
    }
    sb_out_char(out, '\n');
    sb_table_write(&table, SB_FORMAT_TEXT, out);
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
