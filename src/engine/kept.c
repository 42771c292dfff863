#include "engine/kept.h"
#include "base/file.h"
#include "base/hash.h"
#include "profile/profile.h"
#include <string.h>
#include <sys/stat.h>

enum {
    ENDS = 1 << 16
}; /* bytes at each end of a trace: its start, node and first events, and its last ones */

static struct sb_str
name_of(struct sb_str path)
{
    size_t slash = path.n;
    while (slash > 0 && path.p[slash - 1] != '/')
        slash--;
    return sb_str_sub(path, slash, path.n);
}

/* The name comes last, since it can hold anything. */
void
sb_trace_identity(const char *trace, char identity[SB_TRACE_IDENTITY_MAX])
{
    struct sb_file f;
    struct sb_str name = name_of(sb_str_of(trace));
    identity[0] = '\0';
    if (!sb_file_open(&f, trace, NULL))
        return;
    size_t n = f.n < ENDS ? (size_t)f.n : ENDS;
    uint64_t head = n ? sb_hash(f.p, n) : 0, tail = n ? sb_hash(f.p + f.n - n, n) : 0;
    snprintf(identity, SB_TRACE_IDENTITY_MAX, "%llu bytes, %016llx, %016llx, %.*s", (unsigned long long)f.n,
             (unsigned long long)head, (unsigned long long)tail, SB_STR_ARG(name));
    sb_file_close(&f);
}

static bool
is_newer(const char *path, const char *than)
{
    struct stat a, b;
    if (stat(path, &a) != 0 || stat(than, &b) != 0)
        return false;
    return a.st_mtim.tv_sec != b.st_mtim.tv_sec ? a.st_mtim.tv_sec > b.st_mtim.tv_sec
                                                : a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec;
}

static struct sb_str
name_in(struct sb_str identity)
{
    for (int comma = 0; comma < 3; comma++)
        sb_str_cut(&identity, ',');
    return sb_str_trim(identity);
}

enum sb_kept
sb_kept(const char *profile, const char *trace, const char *identity)
{
    struct sb_profile *p;
    enum sb_kept kept = is_newer(profile, trace) ? SB_KEPT_FITS : SB_KEPT_NONE;
    if (sb_profile_is_old(profile) || !sb_profile_open(&p, profile, NULL))
        return SB_KEPT_NONE;
    struct sb_str of = sb_profile_meta(p, SB_STR("trace")), want = sb_str_of(identity);
    if (of.n > 0 && !sb_str_eq(of, want))
        kept = sb_str_eq(name_in(of), name_in(want)) ? SB_KEPT_NONE : SB_KEPT_OTHERS;
    if (kept == SB_KEPT_FITS && sb_profile_meta(p, SB_STR("unfinished")).n > 0)
        kept = SB_KEPT_NONE; /* the trace had not ended */
    sb_profile_close(p);
    return kept;
}
