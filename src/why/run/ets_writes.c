#include "why/run/ets_writes.h"
#include "profile/scan_row.h"
#include <stdlib.h>

static const char *const writes[] = {
    "ets:insert/2",
    "ets:insert_new/2",
    "ets:update_counter/3",
    "ets:update_counter/4",
    "ets:update_element/3",
    "ets:update_element/4",
    "ets:delete/1",
    "ets:delete/2",
    "ets:delete_object/2",
    "ets:take/2",
    "ets:internal_delete_all/2",
};
enum { N_WRITES = sizeof writes / sizeof *writes };

static bool
is_write(const int64_t *of, int64_t text)
{
    for (size_t i = 0; i < N_WRITES; i++)
        if (of[i] == text)
            return text != SB_NULL;
    return false;
}

/* Where calls are in the trace: the time of the writes that several processes made. */
static double
ns_of_calls(const struct sb_profile *p, const int64_t *of)
{
    double ns = 0;
    SB_SCAN(s, p, function, mfa, own_ns, processes);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (is_write(of, s.value[mfa][i]) && s.value[processes][i] > 1 && s.value[own_ns][i] > 0)
            ns += (double)s.value[own_ns][i];
    return ns;
}

double
sb_ets_write_share(const struct sb_profile *p)
{
    int64_t of[N_WRITES], first = SB_NULL;
    double all = 0, in_writes = 0;
    bool several = false;
    for (size_t i = 0; i < N_WRITES; i++)
        of[i] = sb_profile_find_text(p, sb_str_of(writes[i]));
    SB_SCAN(s, p, slice, process, dur, out_function);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        double ns = s.value[dur][i] > 0 ? (double)s.value[dur][i] : 0;
        all += ns;
        if (!is_write(of, s.value[out_function][i]))
            continue;
        in_writes += ns;
        several |= first != SB_NULL && first != s.value[process][i];
        first = s.value[process][i];
    }
    double called = ns_of_calls(p, of);
    in_writes = several && in_writes > called ? in_writes : called;
    return all > 0 ? in_writes / all : 0;
}
