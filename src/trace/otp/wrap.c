/*
 * Wrap sets: PREFIX 0 SUFFIX, PREFIX 1 SUFFIX, ... The names form a cycle with one name more than there are
 * files, so the missing number separates the newest file from the oldest:
 *
 *     0 1 2          as they are: not yet wrapped, or wrapped with 3 missing
 *     0 1 _ 3 4      3 4, then 0 1
 *     _ 1 2 3        1 2 3
 */
#include "trace/source_impl.h"
#include "base/order.h"
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

struct member {
    uint64_t number;
    const char *path;
    struct sb_str suffix;
};

struct members {
    struct member *at;
    size_t n, cap;
};

SB_ORDER(by_number, struct member, SB_UP(number))

static bool
inconsistent(uint64_t missing, uint64_t other, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_INPUT, "is an incomplete wrap set: files %" PRIu64 " and %" PRIu64 " are missing",
               missing, other);
    return sb_err_advise(e, "add the missing files, or name the files to read one by one");
}

/*
 * Finds the oldest file among the sorted ones. `named`: the user listed the files, so the set may start at
 * any number.
 */
static bool
find_oldest(const struct members *m, uint32_t wrap_count, bool named, size_t *oldest, bool *has_wrapped,
            struct sb_err *e)
{
    uint64_t expected = named ? m->at[0].number : 0, missing = 0;
    bool gap = false;
    *oldest = 0;
    for (size_t i = 0; i < m->n; i++, expected++) {
        uint64_t number = m->at[i].number;
        if (number == expected)
            continue;
        if (gap || number != expected + 1)
            return inconsistent(gap ? missing : expected, gap ? expected : expected + 1, e);
        gap = true;
        missing = expected++;
        *oldest = i;
    }
    uint64_t last = m->at[m->n - 1].number;
    if (wrap_count && (last > wrap_count || (gap && *oldest > 0 && last != wrap_count))) {
        sb_err_set(e, SB_ERR_INPUT,
                   "contradicts a wrap count of %" PRIu32 ": its last file is number %" PRIu64, wrap_count,
                   last);
        return sb_err_advise(e, "give the --wrap-count that the trace was written with, or omit it");
    }
    *has_wrapped = gap;
    return true;
}

static bool
in_order(struct members *m, uint32_t wrap_count, bool named, struct sb_arena *a, struct sb_wrap_files *out,
         struct sb_err *e)
{
    size_t oldest;
    bool has_wrapped = false;
    qsort(m->at, m->n, sizeof *m->at, by_number);
    SB_TRY(find_oldest(m, wrap_count, named, &oldest, &has_wrapped, e));
    bool is_begun = m->at[0].number == 0 && wrap_count > m->n; /* no number was used twice yet */
    *out = (struct sb_wrap_files){.path = SB_NEW_N(a, const char *, m->n),
                                  .n = m->n,
                                  .is_wrap = true,
                                  .has_wrapped = has_wrapped,
                                  .may_have_wrapped = !has_wrapped && !is_begun};
    for (size_t i = 0; i < m->n; i++)
        out->path[i] = m->at[(oldest + i) % m->n].path;
    return true;
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Parses prefix DIGITS suffix; the number must have no leading zero. */
static bool
take_number(struct sb_str name, struct sb_str prefix, uint64_t *number, struct sb_str *suffix)
{
    if (!sb_str_starts(name, prefix))
        return false;
    struct sb_str rest = sb_str_sub(name, prefix.n, SIZE_MAX);
    size_t digits = 0;
    while (digits < rest.n && is_digit(rest.p[digits]))
        digits++;
    *suffix = sb_str_sub(rest, digits, SIZE_MAX);
    return sb_str_to_u64(sb_str_sub(rest, 0, digits), number) && (digits == 1 || rest.p[0] != '0');
}

/* Collects the files that the user listed, if their names differ in one number only. */
static bool
named_members(const char *const *paths, size_t n, struct members *out)
{
    struct sb_str first = sb_str_of(paths[0]), suffix;
    for (size_t at = first.n; at-- > 0 && first.p[at] != '/';) {
        bool starts_number = is_digit(first.p[at]) && (at == 0 || !is_digit(first.p[at - 1]));
        if (!starts_number)
            continue;
        out->n = 0;
        for (size_t i = 0; i < n; i++) {
            uint64_t number;
            if (!take_number(sb_str_of(paths[i]), sb_str_sub(first, 0, at), &number, &suffix))
                break;
            out->at[out->n++] = (struct member){number, paths[i], suffix};
            if (!sb_str_eq(suffix, out->at[0].suffix))
                break;
        }
        if (out->n == n && sb_str_eq(out->at[n - 1].suffix, out->at[0].suffix))
            return true;
    }
    return false;
}

static bool
several_suffixes(struct sb_str a, struct sb_str b, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_INPUT, "is the base of more than one wrap set: those ending in '%.*s' and in '%.*s'",
               SB_STR_ARG(a), SB_STR_ARG(b));
    return sb_err_advise(e, "name the files of one set");
}

static bool
scan_folder(DIR *dir, struct sb_str folder, struct sb_str prefix, struct sb_arena *a, struct members *out,
            struct sb_err *e)
{
    for (struct dirent *d; (d = readdir(dir));) {
        struct sb_str name = sb_arena_str(a, sb_str_of(d->d_name)), suffix;
        uint64_t number;
        /* "t0.sbp" is the profile of "t0.trc" */
        if (!take_number(name, prefix, &number, &suffix) || sb_str_ends(suffix, SB_STR(".sbp")))
            continue;
        if (out->n > 0 && !sb_str_eq(suffix, out->at[0].suffix))
            return several_suffixes(out->at[0].suffix, suffix, e);
        struct sb_str path = sb_arena_printf(a, "%.*s%.*s", SB_STR_ARG(folder), SB_STR_ARG(name));
        *SB_PUSH(out) = (struct member){number, path.p, suffix};
    }
    return true;
}

/* Collects the files whose names are `base` and a number. Finding none is not an error here. */
static bool
find_members(struct sb_str base, struct sb_arena *a, struct members *out, struct sb_err *e)
{
    size_t slash = base.n;
    while (slash > 0 && base.p[slash - 1] != '/')
        slash--;
    struct sb_str folder = sb_arena_str(a, sb_str_sub(base, 0, slash));
    SB_SCOPED_DIR DIR *dir = opendir(folder.n ? folder.p : ".");
    return !dir || scan_folder(dir, folder, sb_str_sub(base, slash, SIZE_MAX), a, out, e);
}

static bool
one_file(const char *path, struct sb_arena *a, struct sb_wrap_files *out)
{
    *out = (struct sb_wrap_files){.path = SB_NEW_N(a, const char *, 1), .n = 1};
    out->path[0] = sb_arena_str(a, sb_str_of(path)).p;
    return true;
}

static bool
by_base_name(const char *base, uint32_t wrap_count, struct sb_arena *a, struct sb_wrap_files *out,
             struct sb_err *e)
{
    SB_SCOPED struct members m = {0};
    bool ok = find_members(sb_str_of(base), a, &m, e);
    if (ok && m.n == 0)
        ok = one_file(base, a, out); /* opening it reports the error */
    else if (ok)
        ok = in_order(&m, wrap_count, false, a, out, e);
    return ok ? true : sb_err_in(e, base, SB_NO_BYTE);
}

bool
sb_wrap_find(const char *const *paths, size_t n, uint32_t wrap_count, struct sb_arena *a,
             struct sb_wrap_files *out, struct sb_err *e)
{
    struct stat st;
    if (n == 0)
        return sb_err_set(e, SB_ERR_USAGE, "no trace given");
    if (n == 1)
        return stat(paths[0], &st) == 0 || errno != ENOENT ? one_file(paths[0], a, out)
                                                           : by_base_name(paths[0], wrap_count, a, out, e);
    struct members m = {.at = SB_NEW_N(a, struct member, n)};
    if (named_members(paths, n, &m))
        return in_order(&m, wrap_count, true, a, out, e) ? true : sb_err_in(e, paths[0], SB_NO_BYTE);
    *out = (struct sb_wrap_files){.path = SB_NEW_N(a, const char *, n), .n = n};
    for (size_t i = 0; i < n; i++)
        out->path[i] = sb_arena_str(a, sb_str_of(paths[i])).p;
    return true;
}
