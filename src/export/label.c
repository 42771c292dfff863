#include "export/label.h"
#include "answer/answer.h"
#include "base/utf8.h"
#include "profile/who.h"

uint64_t
sb_label_row(const struct sb_profile *p, enum sb_tab t, int64_t id)
{
    uint64_t rows = sb_profile_rows(p, t);
    if (id <= 0)
        return SB_NO_ROW;
    if ((uint64_t)id <= rows && sb_profile_cell(p, t, 0, (uint64_t)id - 1) == id)
        return (uint64_t)id - 1; /* ids count from 1 in row order */
    SB_SCOPED_SCAN struct sb_scan s;
    sb_scan_open(&s, p, t);
    sb_scan_where(&s, 0, id, id);
    return sb_scan_next(&s) ? s.row[0] : SB_NO_ROW;
}

static struct sb_str
text_at(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row)
{
    return row == SB_NO_ROW ? (struct sb_str){0} : sb_profile_text(p, sb_profile_cell(p, t, col, row));
}

struct sb_str
sb_label_name(struct sb_str mfa, struct sb_label *l)
{
    SB_ARENA(a);
    struct sb_str s = sb_elixir_name(mfa, false, &a);
    if (s.p != mfa.p || s.n != mfa.n)
        mfa = sb_label_print(l, "%.*s", SB_STR_ARG(s));
    return mfa;
}

struct sb_str
sb_label_function(const struct sb_profile *p, int64_t text_id, struct sb_label *l)
{
    struct sb_str s = text_id == SB_NULL ? (struct sb_str){0} : sb_profile_text(p, text_id);
    return s.n ? sb_label_name(s, l) : SB_STR("unknown");
}

static struct sb_str
first_text(const struct sb_profile *p, uint64_t row, const unsigned *cols, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct sb_str s = text_at(p, SB_T_process, cols[i], row);
        if (s.n)
            return s;
    }
    return (struct sb_str){0};
}

struct sb_str
sb_label_entry(const struct sb_profile *p, int64_t process)
{
    static const unsigned cols[] = {SB_C_process__entry, SB_C_process__spawn_mfa, SB_C_process__name};
    struct sb_str s = first_text(p, sb_label_row(p, SB_T_process, process), cols, 3);
    return s.n ? s : SB_STR("process");
}

struct sb_str
sb_label_type(const struct sb_profile *p, int64_t process, struct sb_label *l)
{
    return sb_label_name(sb_label_entry(p, process), l);
}

struct sb_str
sb_label_print(struct sb_label *l, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(l->text, sizeof l->text, fmt, ap);
    va_end(ap);
    l->n = n < 0 ? 0 : (size_t)n < sizeof l->text ? (size_t)n : sizeof l->text - 1;
    while (l->n > 0 && (size_t)n >= sizeof l->text && ((uint8_t)l->text[l->n] & 0xc0) == 0x80)
        l->n--; /* do not cut a character in half */
    return (struct sb_str){l->text, l->n};
}

struct sb_str
sb_label_process(const struct sb_profile *p, int64_t process, struct sb_label *l)
{
    if (process <= 0)
        return SB_STR("ports");
    uint64_t row = sb_label_row(p, SB_T_process, process);
    struct sb_label shown;
    struct sb_str pid = text_at(p, SB_T_process, SB_C_process__pid, row), who = sb_who(p, process),
                  name = sb_str_eq(who, pid) ? SB_STR("") : sb_label_name(who, &shown);
    if (!pid.n)
        return sb_label_print(l, "process %lld", (long long)process);
    return sb_label_print(l, "%.*s%s%.*s", SB_STR_ARG(pid), name.n ? " " : "", SB_STR_ARG(name));
}

struct sb_str
sb_label_scheduler(const struct sb_profile *p, int64_t scheduler, struct sb_label *l)
{
    uint64_t row = sb_label_row(p, SB_T_scheduler, scheduler);
    if (row == SB_NO_ROW)
        return sb_label_print(l, "unknown scheduler");
    struct sb_str kind = text_at(p, SB_T_scheduler, SB_C_scheduler__kind, row);
    int64_t number = SB_CELL(p, scheduler, number, row);
    bool plain = !kind.n || sb_str_eq(kind, SB_STR("normal")) || sb_str_eq(kind, SB_STR("unknown"));
    if (number == 0 && plain)
        return SB_STR("other threads"); /* OTP's traces number dirty schedulers and the rest 0 */
    if (number == SB_NULL)
        return sb_label_print(l, "%.*s scheduler", SB_STR_ARG(kind));
    return sb_label_print(l, "%.*s%sscheduler %lld", plain ? 0 : (int)kind.n, kind.p ? kind.p : "",
                          plain ? "" : " ", (long long)number);
}

struct sb_str
sb_label_node(const struct sb_profile *p, int64_t node, struct sb_label *l)
{
    struct sb_str name = text_at(p, SB_T_node, SB_C_node__name, sb_label_row(p, SB_T_node, node));
    return name.n ? name : sb_label_print(l, "node %lld", (long long)(node == SB_NULL ? 0 : node));
}

/* U+FF00 and up has a full-width form of each printable ASCII character, 0xfee0 above it */
static void
put_twin(struct sb_out *out, char c)
{
    char twin[4];
    sb_out_bytes(out, twin, sb_utf8_put(twin, (uint32_t)(uint8_t)c + 0xfee0));
}

void
sb_label_line(struct sb_out *out, struct sb_str s, char avoid)
{
    while (s.n > 0) {
        uint32_t c;
        size_t step = sb_utf8_get(s.p, s.n, &c);
        if (step == 0)
            sb_out_z(out, "\xef\xbf\xbd");
        else if (c < 0x20 || c == 0x7f)
            sb_out_char(out, ' ');
        else if (avoid && c == (uint8_t)avoid)
            put_twin(out, avoid);
        else
            sb_out_bytes(out, s.p, step);
        s = sb_str_sub(s, step ? step : 1, s.n);
    }
}
