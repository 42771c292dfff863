#include "base/json.h"
#include "base/utf8.h"
#include <math.h>
#include <stdlib.h>

enum { DEEPEST = 63 };

void
sb_json_open(struct sb_json *j, struct sb_out *out, bool pretty)
{
    *j = (struct sb_json){.out = out, .pretty = pretty};
    j->first[0] = true;
}

static void
new_line(struct sb_json *j)
{
    if (!j->pretty)
        return;
    sb_out_char(j->out, '\n');
    sb_out_pad(j->out, ' ', 2 * (size_t)j->depth);
}

/* Writes the comma and line break before a value or key; a value after its key needs neither. */
static void
before(struct sb_json *j)
{
    if (j->after_key) {
        j->after_key = false;
        return;
    }
    if (!j->first[j->depth])
        sb_out_char(j->out, ',');
    if (j->depth > 0)
        new_line(j);
    j->first[j->depth] = false;
}

static void
begin(struct sb_json *j, bool is_obj)
{
    before(j);
    SB_ASSERT(j->depth < DEEPEST);
    j->depth++;
    j->first[j->depth] = true;
    j->is_obj[j->depth] = is_obj;
    sb_out_char(j->out, is_obj ? '{' : '[');
}

void
sb_json_obj(struct sb_json *j)
{
    begin(j, true);
}

void
sb_json_arr(struct sb_json *j)
{
    begin(j, false);
}

void
sb_json_end(struct sb_json *j)
{
    SB_ASSERT(j->depth > 0);
    bool empty = j->first[j->depth], is_obj = j->is_obj[j->depth];
    j->depth--;
    if (!empty)
        new_line(j);
    sb_out_char(j->out, is_obj ? '}' : ']');
    if (j->depth == 0 && j->pretty)
        sb_out_char(j->out, '\n');
}

/* JSON text must not contain control characters unescaped. */
static void
put_control(struct sb_out *o, char c)
{
    static const char letters[32] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    if (letters[(unsigned char)c])
        sb_out_bytes(o, (char[]){'\\', letters[(unsigned char)c]}, 2);
    else
        sb_out_printf(o, "\\u%04x", (unsigned)(unsigned char)c);
}

static void
put_text(struct sb_out *o, struct sb_str s)
{
    sb_out_char(o, '"');
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t n = sb_utf8_get(s.p + i, s.n - i, &c);
        if (n == 0)
            sb_out_z(o, "\xef\xbf\xbd");
        else if (c < 0x20)
            put_control(o, s.p[i]);
        else if (c == '"' || c == '\\')
            sb_out_bytes(o, (char[]){'\\', (char)c}, 2);
        else
            sb_out_bytes(o, s.p + i, n);
        i += n ? n : 1;
    }
    sb_out_char(o, '"');
}

void
sb_json_key(struct sb_json *j, struct sb_str key)
{
    before(j);
    put_text(j->out, key);
    sb_out_z(j->out, j->pretty ? ": " : ":");
    j->after_key = true;
}

void
sb_json_str(struct sb_json *j, struct sb_str s)
{
    before(j);
    put_text(j->out, s);
}

void
sb_json_text(struct sb_json *j, struct sb_str s)
{
    if (s.p)
        sb_json_str(j, s);
    else
        sb_json_null(j);
}

void
sb_json_i64(struct sb_json *j, int64_t v)
{
    before(j);
    sb_out_i64(j->out, v);
}

void
sb_json_u64(struct sb_json *j, uint64_t v)
{
    before(j);
    sb_out_u64(j->out, v);
}

void
sb_json_f64(struct sb_json *j, double v)
{
    if (!isfinite(v)) {
        sb_json_null(j);
        return;
    }
    before(j);
    char text[32]; /* the shortest that reads back as the same number */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v);
        if (strtod(text, NULL) == v)
            break;
    }
    sb_out_z(j->out, text);
}

void
sb_json_bool(struct sb_json *j, bool v)
{
    before(j);
    sb_out_z(j->out, v ? "true" : "false");
}

void
sb_json_null(struct sb_json *j)
{
    before(j);
    sb_out_z(j->out, "null");
}
