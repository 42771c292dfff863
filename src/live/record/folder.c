#include "live/record/folder.h"
#include "live/drain/cpu.h"
#include "base/file.h"
#include "base/shell.h"
#include "base/table.h"
#include "base/temporary.h"
#include <fcntl.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool
sb_folder_home(struct sb_arena *a, const char **home, struct sb_err *e)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return sb_err_errno(e, "find this program");
    path[n] = 0;
    char *slash = strrchr(path, '/');
    *slash = 0;
    *home = sb_arena_str(a, sb_str_of(path)).p;
    return true;
}

static bool
need(const char *path, int how, struct sb_err *e)
{
    if (access(path, how) == 0)
        return true;
    sb_err_errno(e, "find a part of strobe");
    sb_err_advise(e, "build it with `make`, or install it whole");
    return sb_err_in(e, path, SB_NO_BYTE);
}

/* Whether every user can read this file. */
static bool
is_public(const char *file, struct sb_arena *a)
{
    struct stat st;
    bool is = stat(file, &st) == 0 && st.st_mode & S_IROTH;
    char *path = (char *)sb_arena_str(a, sb_str_of(file)).p;
    for (char *slash; is && (slash = strrchr(path, '/')) && slash > path;) {
        *slash = 0;
        is = stat(path, &st) == 0 && st.st_mode & S_IXOTH;
    }
    return is;
}

/*
 * Start scripts of servers change to a user of their own. Where strobe runs as root, that user may create its
 * rings in the folder, but not list it, nor remove what is there.
 */
static bool
open_to_others(const struct sb_folder *f, struct sb_arena *a)
{
    return geteuid() != 0 ||
           (chmod(f->path, 01733) == 0 && chmod(sb_arena_printf(a, "%s/options", f->path).p, 0644) == 0);
}

static bool
make_folder(struct sb_folder *f, struct sb_arena *a, struct sb_err *e)
{
    const char *const roots[] = {"/dev/shm", sb_temporary_root(), "/tmp"};
    for (unsigned i = 0; i < 3; i++) {
        char *path = (char *)sb_arena_printf(a, "%s/strobe-%u-XXXXXX", roots[i], (unsigned)getpid()).p;
        if (mkdtemp(path)) {
            f->path = path;
            return true;
        }
    }
    return sb_err_errno(e, "create a folder for the rings");
}

static bool
write_options(const struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a,
              struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, sb_arena_printf(a, "%s/options", f->path).p, e));
    sb_out_printf(&out, "trace=%s\nbytes=%llu\n", what->classes, (unsigned long long)what->buffer);
    if (what->modules)
        sb_out_printf(&out, "modules=%s\n", what->modules);
    if (what->apps)
        sb_out_printf(&out, "apps=%s\n", what->apps);
    if (what->delay_ns)
        sb_out_printf(&out, "delay=%lld\n", (long long)(what->delay_ns / 1000000));
    if (what->max_ns)
        sb_out_printf(&out, "duration=%lld\n", (long long)((what->max_ns + 999999) / 1000000));
    if (what->flight)
        sb_out_printf(&out, "flight=1\n");
    if (what->cpu_told)
        sb_out_printf(&out, "code=%d\n", SB_CPU_USUAL_LEAST_MS);
    if (what->log)
        sb_out_printf(&out, "log=%s\n", what->log);
    if (what->command)
        sb_out_printf(&out, "command=%s\n", what->command);
    return sb_out_close(&out, e);
}

bool
sb_folder_begin(struct sb_folder *f, const char *starter, struct sb_arena *a, struct sb_err *e)
{
    const char *old = getenv("ERL_AFLAGS");
    *f = (struct sb_folder){0};
    SB_TRY(sb_folder_home(a, &f->home, e));
    f->drain = sb_arena_printf(a, "%s/strobe-drain", f->home).p;
    const char *ebin = sb_arena_printf(a, "%s/erlang/strobe/ebin", f->home).p;
    const char *beam = sb_arena_printf(a, "%s/%s.beam", ebin, starter).p;
    SB_TRY(need(beam, R_OK, e));
    f->is_private = geteuid() == 0 && !is_public(beam, a);
    /* a VM whose user cannot read strobe would fail at -s; strobe_boot needs it only where beam/boot fails */
    bool early = strcmp(starter, "strobe_boot") == 0;
    const char *start = f->is_private && early ? "" : sb_arena_printf(a, "-s %s", starter).p;
    /* beam/boot loads its modules by their paths; the VM then finds the program's own without a look into ours */
    const char *place = early ? "-pz" : "-pa";
    f->erl_aflags = sb_arena_printf(a, "%s \"%s\" %s %s", place, ebin, start, old ? old : "").p;
    return make_folder(f, a, e);
}

bool
sb_folder_has_maps(struct sb_arena *a)
{
    char path[PATH_MAX];
    const char *erl = sb_shell_find("erl", a);
    glob_t vm = {0};
    struct sb_file f;
    struct sb_err ignored;
    if (!erl || !realpath(erl, path))
        return false;
    const char *root = dirname(dirname(path));
    bool has = access(sb_arena_printf(a, "%s/releases/29", root).p, F_OK) == 0 &&
               glob(sb_arena_printf(a, "%s/erts-*/bin/beam*.smp", root).p, 0, NULL, &vm) == 0 &&
               vm.gl_pathc == 1 && sb_file_open(&f, vm.gl_pathv[0], &ignored);
    globfree(&vm);
    if (!has)
        return false;
    has = memmem(f.p, f.n, "erts_beamasm", strlen("erts_beamasm")) != NULL;
    sb_file_close(&f);
    return has;
}

bool
sb_folder_open(struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a, struct sb_err *e)
{
    SB_TRY(sb_folder_begin(f, "strobe_boot", a, e));
    const char *boot = sb_arena_printf(a, "%s/erlang/strobe/boot", f->home).p;
    f->erl_aflags = sb_arena_printf(a, "-pa \"%s\" %s", boot, f->erl_aflags).p;
    /* frame pointers, and a map of functions, for the samples of the CPU */
    if (what->cpu_hz && !what->cpu_told)
        f->erl_aflags = sb_arena_printf(a, "+JPperf map %s", f->erl_aflags).p;
    const char *old = getenv(SB_OTP29_FLAGS);
    if (what->cpu_mapped)
        f->otp29_flags = sb_arena_printf(a, "%s +JPperf map +JPperf no_fp", old ? old : "").p;
    SB_TRY(need(f->drain, X_OK, e));
    SB_TRY(write_options(f, what, a, e));
    return open_to_others(f, a) || sb_err_errno(e, "open the folder of the rings to other users");
}

void
sb_folder_end(const struct sb_folder *f)
{
    char options[4096 + 300];
    snprintf(options, sizeof options, "%s/options", f->path);
    (void)!truncate(options, 0);
}

/* A file that is neither a link, here or elsewhere, nor anything to wait for; -1: not of this user, nor of root. */
static int
open_own(const char *path, uid_t user)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_nlink == 1 &&
                   (st.st_uid == user || st.st_uid == 0)))
        return fd;
    close(fd);
    return -1;
}

struct sb_str
sb_folder_read(const struct sb_folder *f, const char *name, uid_t user, struct sb_arena *a)
{
    enum { MOST = 16384 };
    char path[4096 + 300], raw[MOST];
    snprintf(path, sizeof path, "%s/%s", f->path, name);
    SB_SCOPED_FD int fd = open_own(path, user);
    ssize_t n = fd < 0 ? 0 : read(fd, raw, sizeof raw);
    if (n <= 0)
        return (struct sb_str){0};
    SB_OUT_TO_MEMORY(text);
    for (struct sb_str rest = sb_str_trim((struct sb_str){raw, (size_t)n}); rest.n > 0;) {
        sb_out_str(&text, sb_table_printable(a, sb_str_cut(&rest, '\n')));
        sb_out_char(&text, '\n');
    }
    return sb_arena_str(a, sb_str_trim((struct sb_str){text.buf, text.n}));
}

void
sb_folder_close(struct sb_folder *f)
{
    char path[4096 + 300];
    SB_SCOPED_DIR DIR *d = f->path ? opendir(f->path) : NULL;
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        struct sb_str name = sb_str_of(e->d_name);
        snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
        if (name.p[0] != '.' && !sb_str_ends(name, SB_STR(".rings")))
            unlink(path);
    }
    rmdir(f->path);
}
