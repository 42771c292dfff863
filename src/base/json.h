/*
 * A streaming JSON writer. It places commas, checks nesting, escapes text and replaces invalid UTF-8.
 *     sb_json_open(&j, out); sb_json_obj(&j); sb_json_key(&j, SB_STR("n")); sb_json_i64(&j, 3);
 *     sb_json_end(&j);
 */
#pragma once
#include "base/file.h"

struct sb_json {
    struct sb_out *out;
    unsigned depth;
    bool pretty, after_key;
    bool first[64], is_obj[64];
};

void sb_json_open(struct sb_json *j, struct sb_out *out, bool pretty);
void sb_json_obj(struct sb_json *j);
void sb_json_arr(struct sb_json *j);
void sb_json_end(struct sb_json *j); /* closes the innermost object or array */
void sb_json_key(struct sb_json *j, struct sb_str key);
void sb_json_str(struct sb_json *j, struct sb_str s);
void sb_json_text(struct sb_json *j, struct sb_str s); /* null where it is absent */
void sb_json_i64(struct sb_json *j, int64_t v);
void sb_json_u64(struct sb_json *j, uint64_t v);
void sb_json_f64(struct sb_json *j, double v); /* NaN and infinities become null */
void sb_json_bool(struct sb_json *j, bool v);
void sb_json_null(struct sb_json *j);

/* A member of an object: its key, a string of C, and its value; SB_JSON(&j, "n", i64, 3), SB_JSON(&j, "list", arr). */
#define SB_JSON(j, key, type, ...) (sb_json_key(j, sb_str_of(key)), sb_json_##type(j, ##__VA_ARGS__))

/* A member that is an array; the body of the loop writes one of `n` values: SB_JSON_EACH(&j, "list", i, n). */
#define SB_JSON_EACH(j, key, i, n) \
    for (size_t i = (SB_JSON(j, key, arr), 0); i < (n) || (sb_json_end(j), false); i++)
