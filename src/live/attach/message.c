#include "live/attach/message.h"
#include "trace/term/etf.h"

bool
sb_message_seal(ei_x_buff *x)
{
    static const char zeros[16]; /* more than ei reads of a term before it knows what it is */
    const uint8_t *p = (const uint8_t *)x->buff, *end = p + x->index;
    const uint8_t *behind = x->index > 1 && *p == SB_ETF_VERSION ? sb_etf_skip(p + 1, end) : NULL;
    if (!behind)
        return false;
    x->index = (int)(behind - p);
    return ei_x_append_buf(x, zeros, sizeof zeros) == 0;
}

bool
sb_message_skip(const ei_x_buff *x, int *at)
{
    const uint8_t *p = (const uint8_t *)x->buff, *behind = sb_etf_skip(p + *at, p + x->index);
    if (behind)
        *at = (int)(behind - p);
    return behind != NULL;
}

bool
sb_message_atom(const ei_x_buff *x, int *at, const char *wanted)
{
    char name[MAXATOMLEN_UTF8];
    int next = *at;
    if (ei_decode_atom(x->buff, &next, name) < 0 || strcmp(name, wanted) != 0)
        return false;
    *at = next;
    return true;
}

bool
sb_message_tuple(const ei_x_buff *x, int *at, int arity)
{
    int next = *at, n;
    if (ei_decode_tuple_header(x->buff, &next, &n) < 0 || n != arity)
        return false;
    *at = next;
    return true;
}

struct sb_str
sb_message_binary(const ei_x_buff *x, int *at)
{
    int type, size, next = *at;
    long n;
    if (ei_get_type(x->buff, &next, &type, &size) < 0 || type != ERL_BINARY_EXT)
        return (struct sb_str){0};
    const char *p = x->buff + next + 5; /* a tag and four bytes of length come first */
    if (ei_decode_binary(x->buff, &next, NULL, &n) < 0)
        return (struct sb_str){0};
    *at = next;
    return (struct sb_str){p, (size_t)n};
}
