#include "cli/frame/profile.h"
#include "answer/losses.h"
#include "base/temporary.h"
#include "cli/frame/cli.h"
#include "engine/engine.h"
#include "why/why.h"
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool
sb_cli_show_analysis(void *ctx, uint64_t done, uint64_t total)
{
    struct sb_progress *p = ctx;
    if (p->total != total)
        sb_progress_open(p, "analysing", "MB", 1e6, total);
    sb_progress_set(p, done);
    return true;
}

static bool
is_profile(const char *path)
{
    struct sb_file f;
    if (!sb_file_open(&f, path, NULL))
        return false; /* possibly the base name of a wrap set */
    bool is = sb_profile_is(f.p, f.n) || sb_str_ends(sb_str_of(path), SB_STR(".sbp"));
    sb_file_close(&f);
    return is;
}

bool
sb_cli_profile_path(const char *path, char profile_path[SB_CLI_PATH], struct sb_err *e)
{
    struct sb_engine_options o;
    struct sb_progress progress = {0};
    if (is_profile(path)) {
        if ((size_t)snprintf(profile_path, SB_CLI_PATH, "%s", path) < SB_CLI_PATH)
            return true;
        return sb_err_set(e, SB_ERR_INPUT, "path is too long");
    }
    sb_engine_defaults(&o);
    o.progress = sb_cli_show_analysis;
    o.ctx = &progress;
    sb_heap_in_large_pages();
    bool ok = sb_engine_profile_of(path, &o, profile_path, SB_CLI_PATH, e);
    if (progress.total)
        sb_progress_close(&progress);
    return ok;
}

/* The profile of a trace needs a name until it is open. */
static bool
open_analysed(struct sb_profile **p, const char *trace, struct sb_err *e)
{
    char folder[SB_CLI_PATH - 16], path[SB_CLI_PATH];
    struct sb_engine_options o;
    struct sb_engine_summary summary;
    snprintf(folder, sizeof folder, "%s/strobe-XXXXXX", sb_temporary_root());
    if (!mkdtemp(folder))
        return sb_err_errno(e, "create a temporary folder for the profile of standard input");
    snprintf(path, sizeof path, "%s/stdin.sbp", folder);
    sb_engine_defaults(&o);
    bool ok = sb_engine_analyze(&trace, 1, path, &o, &summary, e) && sb_profile_open(p, path, e);
    unlink(path);
    rmdir(folder);
    return ok;
}

static bool
open_stdin(struct sb_profile **p, struct sb_err *e)
{
    const char *path = "-";
    SB_TRY(sb_cli_read_stdin(&path, 1, e));
    bool ok = is_profile(path) ? sb_profile_open(p, path, e) : open_analysed(p, path, e);
    free((char *)path);
    return ok;
}

static bool
open_named(struct sb_profile **p, const char *path, struct sb_err *e)
{
    char profile_path[SB_CLI_PATH];
    return sb_cli_profile_path(path, profile_path, e) && sb_profile_open(p, profile_path, e);
}

static void
show_explaining(void *ctx, uint64_t done, uint64_t all)
{
    struct sb_progress *p = ctx;
    if (p->total == 0)
        sb_progress_open(p, "explaining the run", NULL, 1, all);
    sb_progress_set(p, done);
    if (done >= all)
        sb_progress_close(p);
}

bool
sb_cli_profile_open(struct sb_cli_profile *c, const char *path, struct sb_err *e)
{
    *c = (struct sb_cli_profile){0};
    SB_TRY(strcmp(path, "-") == 0 ? open_stdin(&c->profile, e) : open_named(&c->profile, path, e));
    sb_profile_watch(c->profile, show_explaining, &c->progress);
    if (sb_sql_open(&c->sql, c->profile, sb_why_tables, e))
        return true;
    sb_profile_close(c->profile);
    return false;
}

int
sb_cli_profile_close(struct sb_cli_profile *c)
{
    struct sb_err damage;
    bool damaged = sb_profile_damage(c->profile, &damage);
    sb_sql_close(c->sql);
    sb_profile_close(c->profile);
    return damaged ? sb_cli_fail(&damage) : 0;
}

void
sb_cli_note_losses(const struct sb_profile *p)
{
    SB_ARENA(a);
    struct sb_loss_notes notes = sb_losses_notes(p, false, &a);
    for (size_t i = 0; i < notes.n; i++)
        sb_cli_note(notes.at[i]);
}

size_t
sb_cli_width(int fd)
{
    enum { USUAL = 80, NARROWEST = 40, WIDEST = 1000 };
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t width = USUAL;
    if (columns == NULL || !sb_str_to_u64(sb_str_of(columns), &width) || width == 0)
        width = isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
    return width < NARROWEST ? NARROWEST : width > WIDEST ? WIDEST : (size_t)width;
}
