#include "serve/request.h"
#include "base/progress.h"

static int
hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool
decode(struct sb_arena *a, struct sb_str in, struct sb_str *out, struct sb_err *e)
{
    char *to = SB_NEW_N(a, char, in.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < in.n; i++) {
        char c = in.p[i];
        if (c == '%') {
            int high = i + 2 < in.n ? hex(in.p[i + 1]) : -1, low = i + 2 < in.n ? hex(in.p[i + 2]) : -1;
            if (high < 0 || low < 0)
                return sb_err_set(e, SB_ERR_INPUT, "a %% in the address is not followed by two hex digits");
            c = (char)(high * 16 + low);
            i += 2;
        } else if (c == '+')
            c = ' ';
        to[n++] = c;
    }
    *out = (struct sb_str){to, n};
    return true;
}

bool
sb_request_params(struct sb_request *r, struct sb_str query, struct sb_err *e)
{
    while (query.n > 0) {
        struct sb_str pair = sb_str_cut(&query, '&');
        struct sb_str key = sb_str_cut(&pair, '=');
        if (key.n == 0)
            continue;
        if (r->n_params == SB_PARAMS)
            return sb_err_set(e, SB_ERR_INPUT, "more than %d parameters", SB_PARAMS);
        struct sb_param *p = &r->param[r->n_params++];
        SB_TRY(decode(r->arena, key, &p->key, e));
        SB_TRY(decode(r->arena, pair, &p->value, e));
    }
    return true;
}

struct sb_str
sb_request_text(const struct sb_request *r, const char *key)
{
    for (size_t i = 0; i < r->n_params; i++)
        if (sb_str_eq(r->param[i].key, sb_str_of(key)))
            return r->param[i].value;
    return (struct sb_str){0};
}

bool
sb_request_int(const struct sb_request *r, const char *key, struct sb_request_limits limits, int64_t *out,
               struct sb_err *e)
{
    struct sb_str s = sb_request_text(r, key);
    *out = limits.otherwise;
    if (!s.p || s.n == 0)
        return true;
    if (!sb_str_to_i64(s, out) || *out < limits.min || *out > limits.max)
        return sb_err_set(e, SB_ERR_INPUT, "%s takes a number from %lld to %lld", key, (long long)limits.min,
                          (long long)limits.max);
    return true;
}

bool
sb_request_ids(const struct sb_request *r, const char *key, int64_t **ids, size_t *n, struct sb_err *e)
{
    struct sb_str s = sb_request_text(r, key);
    *ids = SB_NEW_N(r->arena, int64_t, SB_MOST_IDS);
    for (*n = 0; s.n > 0; ++*n) {
        struct sb_str one = sb_str_cut(&s, ',');
        if (*n == SB_MOST_IDS)
            return sb_err_set(e, SB_ERR_INPUT, "%s takes at most %d ids", key, SB_MOST_IDS);
        if (!sb_str_to_i64(one, &(*ids)[*n]) || (*ids)[*n] < 0)
            return sb_err_set(e, SB_ERR_INPUT, "%s takes ids separated by commas", key);
    }
    return true;
}

bool
sb_request_id_set(const struct sb_request *r, const char *key, struct sb_map *set, struct sb_err *e)
{
    int64_t *id;
    size_t n;
    SB_TRY(sb_request_ids(r, key, &id, &n, e));
    for (size_t i = 0; i < n; i++)
        sb_map_put(set, (uint64_t)id[i], NULL);
    return true;
}

bool
sb_request_window(const struct sb_request *r, int64_t *t0, int64_t *t1, struct sb_err *e)
{
    int64_t end = r->served->end_ns;
    SB_TRY(sb_request_int(r, "t0", (struct sb_request_limits){0, INT64_MAX, 0}, t0, e));
    SB_TRY(sb_request_int(r, "t1", (struct sb_request_limits){0, INT64_MAX, end}, t1, e));
    if (*t0 > end || (*t0 == end && end > 0)) {
        sb_err_set(e, SB_ERR_INPUT, "the range is outside the run: t0 is %lld", (long long)*t0);
        return sb_err_advise(e, "the run is from 0 to %lld ns", (long long)end);
    }
    if (*t1 > end)
        *t1 = end;
    if (*t0 >= *t1)
        *t0 = *t1 > 0 ? *t1 - 1 : 0;
    return true;
}

bool
sb_request_range(const struct sb_request *r, struct sb_range *range, struct sb_err *e)
{
    int64_t t0, t1;
    SB_TRY(sb_request_window(r, &t0, &t1, e));
    *range = sb_range_of(r->served->profile, t0, t1);
    return true;
}

bool
sb_request_choice(const struct sb_request *r, const char *key, const char *choices, unsigned *out,
                  struct sb_err *e)
{
    struct sb_str s = sb_request_text(r, key), all = sb_str_of(choices);
    *out = 0;
    if (!s.p || s.n == 0)
        return true;
    for (unsigned i = 0; all.n > 0; i++)
        if (sb_str_eq(sb_str_cut(&all, '|'), s)) {
            *out = i;
            return true;
        }
    return sb_err_set(e, SB_ERR_INPUT, "%s takes one of %s", key, choices);
}

bool
sb_request_in_time(const struct sb_request *r, struct sb_err *e)
{
    if (r->profiles && atomic_load_explicit(&r->profiles->stop, memory_order_relaxed))
        return sb_err_set(e, SB_ERR_INPUT, "the server is shutting down");
    if (r->deadline_ns == 0 || sb_clock_ns() < r->deadline_ns)
        return true;
    sb_err_set(e, SB_ERR_LIMIT, "the request took too long");
    return sb_err_advise(e, "select a shorter range or fewer processes");
}
