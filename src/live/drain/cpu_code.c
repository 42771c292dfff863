#include "live/drain/cpu_code.h"
#include "base/file.h"
#include "base/order.h"
#include "trace/event.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

SB_ORDER(by_place, struct sb_cpu_code_range, SB_UP(from) ?: SB_UP(nth))

enum {
    WALK = 64,     /* ranges that may reach over an address, whatever a map says */
    MOST = 1 << 21 /* functions of a map, likewise */
};

static void
sort(sb_cpu_code_ranges *v)
{
    uint64_t reach = 0;
    SB_SORT(v, by_place);
    for (size_t i = 0; i < v->n; i++) {
        reach = v->at[i].to > reach ? v->at[i].to : reach;
        v->at[i].reach = reach;
    }
}

/* The code that was loaded last of all that was at this address. */
static const struct sb_cpu_code_range *
find(const sb_cpu_code_ranges *v, uint64_t address)
{
    const struct sb_cpu_code_range *best = NULL;
    size_t low = 0, high = v->n, least;
    if (v->n == 0 || address < v->at[0].from || address >= v->at[v->n - 1].reach)
        return NULL;
    SB_SEARCH(low, high, v->at[mid].from <= address);
    for (least = low > WALK ? low - WALK : 0; low > least && address < v->at[low - 1].reach; low--)
        if (address < v->at[low - 1].to && (!best || v->at[low - 1].nth > best->nth))
            best = &v->at[low - 1];
    return best;
}

/* ---- the map of the JIT: lines "ADDRESS SIZE $MODULE:FUNCTION/ARITY" in hexadecimal */

static void
add_line(struct sb_cpu_code *c, struct sb_str line, size_t sorted)
{
    unsigned long long from, size;
    int name_at = 0;
    char text[1024];
    if (line.n >= sizeof text)
        return;
    memcpy(text, line.p, line.n);
    text[line.n] = 0;
    if (sscanf(text, "%llx %llx $%n", &from, &size, &name_at) != 2 || name_at == 0 ||
        size > UINT64_MAX - from)
        return;
    struct sb_str name = sb_str_sub(line, (size_t)name_at, line.n);
    bool shared = sb_str_starts(name, SB_STR("global::")) || sb_str_starts(name, SB_STR("erts_beamasm:"));
    if (sb_str_ends(name, SB_STR("-CodeInfoPrologue")))
        name.n -= strlen("-CodeInfoPrologue");
    struct sb_cpu_code_range r = {.from = from,
                                  .to = from + size,
                                  .name = sb_intern_put(&c->names, name),
                                  .nth = (uint32_t)c->jit.n,
                                  .kind = shared ? SB_CPU_CODE_SHARED : SB_CPU_CODE_ERLANG};
    const struct sb_cpu_code_range *known = find(&(sb_cpu_code_ranges){.at = c->jit.at, .n = sorted}, from);
    if (!known || known->from != r.from || known->to != r.to || known->name != r.name)
        *SB_PUSH(&c->jit) = r;
}

/* A map of somebody else is not the VM's. */
static int
open_map(const struct sb_cpu_code *c, struct stat *map)
{
    char process[40];
    struct stat owner;
    snprintf(process, sizeof process, "/proc/%u", c->pid);
    int fd = open(c->map, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return -1;
    if (fstat(fd, map) == 0 && S_ISREG(map->st_mode) && stat(process, &owner) == 0 &&
        map->st_uid == owner.st_uid)
        return fd;
    close(fd);
    return -1;
}

void
sb_cpu_code_read_map(struct sb_cpu_code *c)
{
    enum { PIECE = 1 << 20 };
    struct stat map;
    SB_SCOPED_FD int fd = open_map(c, &map);
    if (fd < 0)
        return;
    char *text = sb_realloc_or_die(NULL, PIECE);
    size_t before = c->jit.n;
    c->is_growing = map.st_size == 0 || (uint64_t)map.st_size > c->map_read;
    for (ssize_t n; (uint64_t)map.st_size > c->map_read && c->jit.n < MOST;) {
        n = pread(fd, text, PIECE, (off_t)c->map_read);
        struct sb_str rest = {text, n > 0 ? (size_t)n : 0};
        while (rest.n > 0 &&
               text[rest.p - text + (ptrdiff_t)rest.n - 1] != '\n') /* a line that is being written */
            rest.n--;
        if (rest.n == 0)
            break;
        c->map_read += rest.n;
        while (rest.n > 0)
            add_line(c, sb_str_cut(&rest, '\n'), before);
    }
    if (c->jit.n > before)
        sort(&c->jit);
    free(text);
}

/* ---- files */

static void
add_mapping(struct sb_cpu_code *c, const char *line)
{
    struct sb_cpu_code_file f = {0};
    unsigned long long from, to, offset;
    char rights[8];
    int n = sscanf(line, "%llx-%llx %7s %llx %*s %*s %255[^\n]", &from, &to, rights, &offset, f.path);
    if (n < 4 || rights[2] != 'x')
        return;
    if (n == 4 || strncmp(f.path, "/memfd:", strlen("/memfd:")) == 0) {
        *SB_PUSH(&c->memory) = (struct sb_cpu_code_range){.from = from, .to = to};
        return;
    }
    if (f.path[0] != '/' && f.path[0] != '[')
        return;
    for (size_t i = 0; i < c->files.n; i++)
        if (c->files.at[i].from == from && strcmp(c->files.at[i].path, f.path) == 0)
            return;
    f.from = from;
    f.to = to;
    f.offset = offset;
    f.is_read = f.path[0] == '['; /* the kernel's: it has no file */
    const char *slash = strrchr(f.path, '/');
    struct sb_str name = sb_str_of(slash ? slash + 1 : f.path), gone = SB_STR(" (deleted)");
    name.n -= sb_str_ends(name, gone) ? gone.n : 0;
    f.name = sb_intern_put(&c->names, name);
    *SB_PUSH(&c->files) = f;
}

void
sb_cpu_code_grow(struct sb_cpu_code *c)
{
    char path[40], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%u/maps", c->pid);
    SB_SCOPED_FILE FILE *f = fopen(path, "re");
    if (f) /* else the node is gone, and what was known stays */
        c->memory.n = 0;
    while (f && getline(&line, &room, f) > 0)
        add_mapping(c, line);
    free(line);
    c->is_mapped = true;
}

/* The names in a symbol of C++, without its types: "_ZN3foo3barEi" is "foo::bar". Any other symbol is a name. */
static void
read_name(const char *symbol, size_t n, char *name, size_t room)
{
    const char *at = symbol, *end = symbol + n;
    size_t used = 0;
    if (n > 2 && memcmp(at, "_Z", 2) == 0)
        for (at += 2; at < end && (*at == 'N' || *at == 'K' || *at == 'L');)
            at++;
    while (at > symbol && at < end && *at >= '1' && *at <= '9') {
        size_t length = 0;
        for (; at < end && *at >= '0' && *at <= '9' && length < n; at++)
            length = length * 10 + (size_t)(*at - '0');
        if (length > (size_t)(end - at) || length + used + 3 > room)
            break;
        used += (size_t)snprintf(name + used, room - used, "%s%.*s", used ? "::" : "", (int)length, at);
        at += length;
    }
    if (used == 0)
        snprintf(name, room, "%.*s", (int)n, symbol);
}

static void
add_symbols(struct sb_cpu_code *c, const struct sb_cpu_code_file *f, const struct sb_cpu_elf *e,
            const Elf64_Shdr *table, const Elf64_Shdr *texts)
{
    const Elf64_Sym *s = sb_cpu_elf_at(e, table->sh_offset, table->sh_size / sizeof *s, sizeof *s);
    if (!s || texts->sh_offset > e->n || texts->sh_size > e->n - texts->sh_offset || texts->sh_size == 0)
        return;
    const char *text = (const char *)e->p + texts->sh_offset;
    struct sb_str file = sb_intern_text(&c->names, f->name);
    for (uint64_t i = 0; i < table->sh_size / sizeof *s; i++) {
        if (ELF64_ST_TYPE(s[i].st_info) != STT_FUNC || s[i].st_value == 0 || s[i].st_size == 0 ||
            s[i].st_name >= texts->sh_size)
            continue;
        char plain[160], name[400];
        read_name(text + s[i].st_name, strnlen(text + s[i].st_name, texts->sh_size - s[i].st_name), plain,
                  sizeof plain);
        snprintf(name, sizeof name, "%.*s:%s", (int)file.n, file.p, plain);
        *SB_PUSH(&c->native) = (struct sb_cpu_code_range){.from = s[i].st_value + f->shift,
                                                          .to = s[i].st_value + f->shift + s[i].st_size,
                                                          .name = sb_intern_put(&c->names, sb_str_of(name)),
                                                          .kind = SB_CPU_CODE_NATIVE};
    }
}

static void
read_file(struct sb_cpu_code *c, struct sb_cpu_code_file *f)
{
    struct sb_cpu_elf e;
    uint64_t address;
    size_t before = c->native.n;
    f->is_read = true;
    if (!sb_cpu_elf_open(&e, c->pid, f->path))
        return;
    if (sb_cpu_elf_address(&e, f->offset, &address)) {
        f->shift = f->from - address;
        sb_cpu_frames_read(&f->frames, &e);
        for (unsigned i = 0; i < e.head->e_shnum; i++)
            if ((e.section[i].sh_type == SHT_SYMTAB || e.section[i].sh_type == SHT_DYNSYM) &&
                e.section[i].sh_link < e.head->e_shnum)
                add_symbols(c, f, &e, &e.section[i], &e.section[e.section[i].sh_link]);
        f->is_named = sb_str_starts(sb_intern_text(&c->names, f->name), SB_STR("beam.")) &&
                      2 * (c->native.n - before) > f->frames.n_functions;
        sort(&c->native);
    }
    sb_cpu_elf_close(&e);
}

/* ---- places */

static bool
has_map(uint32_t pid, bool *has_frames)
{
    char path[40], text[4096]; /* the VM's own flags come first */
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    SB_SCOPED_FILE FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text, f) : 0;
    bool has = memmem(text, n, "-JPperf", strlen("-JPperf")) != NULL;
    *has_frames = has && !memmem(text, n, "no_fp", strlen("no_fp"));
    return has;
}

static bool
has_used(uint32_t pid, int ms)
{
    clockid_t clock;
    struct timespec t;
    return clock_getcpuclockid((pid_t)pid, &clock) == 0 && clock_gettime(clock, &t) == 0 &&
           t.tv_sec * 1000 + t.tv_nsec / 1000000 >= ms;
}

bool
sb_cpu_code_is_there(uint32_t pid, const char *rings, bool may_map, int least_ms)
{
    char path[4200];
    bool has_frames;
    snprintf(path, sizeof path, SB_CPU_FUNCTIONS, rings);
    return access(path, F_OK) == 0 || (may_map && has_used(pid, least_ms) && has_map(pid, &has_frames));
}

void
sb_cpu_code_open(struct sb_cpu_code *c, uint32_t pid, const char *rings)
{
    *c = (struct sb_cpu_code){.pid = pid};
    c->has_map = has_map(pid, &c->has_frames);
    if (c->has_map)
        snprintf(c->map, sizeof c->map, SB_CPU_MAP, pid, pid);
    else if (rings)
        snprintf(c->map, sizeof c->map, SB_CPU_FUNCTIONS, rings);
    sb_intern_init(&c->names);
    c->calls_bif = sb_intern_put(&c->names, SB_STR("global::call_light_bif_shared"));
    c->calls_nif = sb_intern_put(&c->names, SB_STR("global::call_nif_shared"));
    c->unnamed = sb_intern_put(&c->names, SB_STR("global::unknown"));
    c->normal_exit = sb_intern_put(&c->names, SB_STR("global::normal_exit"));
    sb_cpu_code_read_map(c);
    sb_cpu_code_grow(c);
}

void
sb_cpu_code_list(struct sb_cpu_code *c, uint32_t name, uint32_t frame)
{
    bool is_new;
    sb_map_put(&c->is_listed, name, &is_new);
    if (is_new)
        *SB_PUSH(&c->function) = (struct sb_cpu_sampled){name, frame};
}

void
sb_cpu_code_remove_map(uint32_t pid)
{
    struct sb_cpu_code c = {.pid = pid};
    struct stat st;
    snprintf(c.map, sizeof c.map, SB_CPU_MAP, pid, pid);
    SB_SCOPED_FD int fd = open_map(&c, &st);
    if (fd >= 0) {
        unlink(c.map);
        return;
    } /* the node is gone, and /proc with it: the map is ours to remove if it is this user's */
    snprintf(c.map, sizeof c.map, "/tmp/perf-%u.map", pid);
    if (lstat(c.map, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid())
        unlink(c.map);
}

void
sb_cpu_code_close(struct sb_cpu_code *c, bool remove_map)
{
    if (remove_map && c->has_map && c->map_read > 0)
        sb_cpu_code_remove_map(c->pid);
    sb_intern_close(&c->names);
    SB_VEC_FREE(&c->jit);
    SB_VEC_FREE(&c->native);
    for (size_t i = 0; i < c->files.n; i++)
        sb_cpu_frames_close(&c->files.at[i].frames);
    SB_VEC_FREE(&c->files);
    SB_VEC_FREE(&c->memory);
    SB_VEC_FREE(&c->function);
    sb_map_close(&c->is_listed);
    sb_map_close(&c->nif_of);
    SB_VEC_FREE(&c->nif);
}

bool
sb_cpu_code_is_jit(const struct sb_cpu_code *c, uint64_t address, struct sb_cpu_code_place *at)
{
    const struct sb_cpu_code_range *r = find(&c->jit, address);
    if (r)
        *at = (struct sb_cpu_code_place){r->name, r->kind};
    return r != NULL;
}

static struct sb_cpu_code_file *
mapped_at(const struct sb_cpu_code *c, uint64_t address)
{
    for (size_t i = 0; i < c->files.n; i++)
        if (address >= c->files.at[i].from && address < c->files.at[i].to)
            return &c->files.at[i];
    return NULL;
}

static struct sb_cpu_code_file *
file_at(struct sb_cpu_code *c, uint64_t address)
{
    struct sb_cpu_code_file *f = mapped_at(c, address);
    if (f && !f->is_read)
        read_file(c, f);
    return f;
}

static bool
is_of_jit(const struct sb_cpu_code *c, uint64_t address)
{
    for (size_t i = 0; i < c->memory.n; i++)
        if (address >= c->memory.at[i].from && address < c->memory.at[i].to)
            return true;
    return false;
}

bool
sb_cpu_code_is_untold(const struct sb_cpu_code *c, uint64_t address)
{
    return !c->has_map && !find(&c->jit, address) && is_of_jit(c, address);
}

bool
sb_cpu_code_starts(struct sb_cpu_code *c, uint64_t address)
{
    const struct sb_cpu_code_range *r = file_at(c, address) ? find(&c->native, address) : NULL;
    return r && r->from == address;
}

bool
sb_cpu_code_leave(struct sb_cpu_code *c, uint64_t address, const struct sb_cpu_stack *s,
                  struct sb_cpu_regs *r)
{
    struct sb_cpu_code_file *f = file_at(c, address);
    return f && sb_cpu_unwind(&f->frames, address - f->shift, s, r);
}

uint64_t
sb_cpu_code_begin(struct sb_cpu_code *c, uint64_t address)
{
    struct sb_cpu_code_file *f = file_at(c, address);
    uint64_t begin = f ? sb_cpu_frames_begin(&f->frames, address - f->shift) : 0;
    return begin ? begin + f->shift : 0;
}

void
sb_cpu_code_meet(struct sb_cpu_code *c, uint64_t address)
{
    if (!c->is_mapped && !find(&c->jit, address) && !is_of_jit(c, address) && !mapped_at(c, address))
        sb_cpu_code_grow(c);
}

/* A function of the VM without a name has that of the next one with a name: compilers put the functions of a source
 * that only this source can call before the others of it. */
static uint32_t
name_unnamed(struct sb_cpu_code *c, const struct sb_cpu_code_file *f, uint64_t address)
{
    enum { FAR = 1 << 16 };
    const sb_cpu_code_ranges *v = &c->native;
    size_t low = 0, high = v->n;
    SB_SEARCH(low, high, v->at[mid].from <= address);
    if (!f->is_named || low == v->n || v->at[low].from >= f->to || v->at[low].from - address > FAR)
        return f->name;
    char name[400];
    struct sb_str file = sb_intern_text(&c->names, f->name);
    struct sb_str next = sb_intern_text(&c->names, v->at[low].name);
    snprintf(name, sizeof name, "%.*s:" SB_CPU_BEFORE "%.*s", (int)file.n, file.p, (int)(next.n - file.n - 1),
             next.p + file.n + 1);
    return sb_intern_put(&c->names, sb_str_of(name));
}

struct sb_cpu_code_place
sb_cpu_code_at(struct sb_cpu_code *c, uint64_t address)
{
    struct sb_cpu_code_place place;
    if (sb_cpu_code_is_jit(c, address, &place))
        return place;
    const struct sb_cpu_code_file *f = file_at(c, address);
    if (f) {
        const struct sb_cpu_code_range *r = find(&c->native, address);
        return (struct sb_cpu_code_place){r ? r->name : name_unnamed(c, f, address), SB_CPU_CODE_NATIVE};
    }
    return (struct sb_cpu_code_place){sb_intern_put(&c->names, SB_STR("unknown")), SB_CPU_CODE_NATIVE};
}
