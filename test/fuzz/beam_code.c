/* A .beam file of any bytes: the scan for functions that wait ends, and tells only what lies in the file. */
#include "base/err.h"
#include "live/drain/beam_code.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct file {
    const char *p;
    size_t n;
};

static void
check(const struct file *f, struct sb_str name)
{
    SB_ASSERT(name.n == 0 || (name.p >= f->p && name.n <= f->n && name.p + name.n <= f->p + f->n));
}

static void
note_function(void *ctx, const struct sb_beam_code *code)
{
    check(ctx, code->name);
    check(ctx, code->file);
}

static void
note_fun(void *ctx, uint32_t index, struct sb_str name, uint32_t arity)
{
    (void)index, (void)arity;
    check(ctx, name);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct file f = {(const char *)data, size};
    sb_beam_scan(data, size, note_function, note_fun, &f);
    return 0;
}
