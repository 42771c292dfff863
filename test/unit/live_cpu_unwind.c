/* Out of the functions of this program, as glibc finds its way out of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "live/drain/cpu_callers.h"
#include "live/drain/cpu_nifs.h"
#include <alloca.h>
#include <execinfo.h>
#include <unistd.h>

enum { WORDS = 600, DEPTH = 40 };

struct seen {
    struct sb_cpu_regs regs;
    uint64_t word[WORDS];
    void *address[DEPTH]; /* glibc's */
    int n;
};

__attribute__((noinline, no_sanitize("address"))) static void
look(struct seen *s)
{
    s->n = backtrace(s->address, DEPTH);
#ifdef __x86_64__
    __asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
                     : "=&r"(s->regs.ip), "=&r"(s->regs.sp), "=&r"(s->regs.bp));
    for (size_t i = 0; i < WORDS; i++) /* what is poisoned as well */
        s->word[i] = ((const volatile uint64_t *)s->regs.sp)[i];
#endif
}

/* A frame of a size that only its frame pointer knows. */
__attribute__((noinline)) static int
wide(struct seen *s, size_t n)
{
    volatile char *room = alloca(n);
    room[0] = room[n - 1] = 1;
    look(s);
    return room[0] + room[n - 1];
}

__attribute__((noinline)) static int
deep(struct seen *s, int n)
{
    int got = n > 0 ? deep(s, n - 1) : wide(s, 100);
    __asm__ volatile("" ::: "rbx", "r12", "memory");
    return got + n;
}

static void
test_callers(void **state)
{
    (void)state;
    struct seen s = {0};
    struct sb_cpu_code c;
    deep(&s, 6);
    if (s.regs.ip == 0)
        skip();
    sb_cpu_code_open(&c, (uint32_t)getpid(), NULL);
    struct sb_cpu_stack stack = {s.word, s.regs.sp, WORDS};
    int own = 0; /* frames of what finds glibc's way */
    assert_true(sb_cpu_code_leave(&c, s.regs.ip, &stack, &s.regs));
    while (own < s.n && (uint64_t)s.address[own] != s.regs.ip)
        own++;
    for (int i = own + 1; i < own + 9; i++) {
        assert_true(sb_cpu_code_leave(&c, s.regs.ip - 1, &stack, &s.regs));
        assert_int_equal(s.regs.ip, (uint64_t)s.address[i]);
    }
    sb_cpu_code_close(&c, false);
}

/* Without the words that hold the return address nothing is said. */
static void
test_short_copy(void **state)
{
    (void)state;
    struct seen s = {0};
    struct sb_cpu_code c;
    deep(&s, 0);
    sb_cpu_code_open(&c, (uint32_t)getpid(), NULL);
    struct sb_cpu_stack stack = {s.word, s.regs.sp, 1};
    bool left = sb_cpu_code_leave(&c, s.regs.ip, &stack, &s.regs) &&
                sb_cpu_code_leave(&c, s.regs.ip - 1, &stack, &s.regs);
    assert_false(left);
    sb_cpu_code_close(&c, false);
}

/* Symbols as a compiler of C++ makes them: a name in a name, one that claims to be longer than it is, no C++ at all. */
__attribute__((noinline, used)) void _ZN4shop4cart3addEi(void);
__attribute__((noinline, used)) void _Z99longer(void);
__attribute__((noinline, used)) void _Zebra(void);
void
_ZN4shop4cart3addEi(void)
{
    __asm__ volatile("nop");
}
void
_Z99longer(void)
{
    __asm__ volatile("nop");
}
void
_Zebra(void)
{
    __asm__ volatile("nop");
}

static void
test_names(void **state)
{
    (void)state;
    static const struct {
        void (*at)(void);
        const char *name;
    } wanted[] = {
        {_ZN4shop4cart3addEi, ":shop::cart::add"}, {_Z99longer, ":_Z99longer"}, {_Zebra, ":_Zebra"}};
    struct sb_cpu_code c;
    sb_cpu_code_open(&c, (uint32_t)getpid(), NULL);
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct sb_cpu_code_place at = sb_cpu_code_at(&c, (uint64_t)(uintptr_t)wanted[i].at);
        assert_true(sb_str_ends(sb_intern_text(&c.names, at.name), sb_str_of(wanted[i].name)));
    }
    sb_cpu_code_close(&c, false);
}

/* Code that ran before the node told its name has callers too: those are looked up when the sample is written. */
static void
test_untold(void **state)
{
    (void)state;
    enum { AT = 0x10000, END = 0x20000, RETURN = 0x10108, TERM = 0x1020a, DATA = 0x30000 };
    struct sb_cpu_code_range jit = {.from = AT, .to = END};
    const uint64_t word[] = {TERM, RETURN, DATA};
    const struct sb_cpu_stack stack = {word, 0x7000, 3};
    struct sb_cpu_code c = {.pid = (uint32_t)getpid(), .memory = {.at = &jit, .n = 1}};
    sb_cpu_addresses found = {0};
    assert_int_equal(sb_cpu_add_callers(&c, &found, &stack, (struct sb_cpu_regs){.ip = AT + 8}).files, 0);
    assert_int_equal(found.n, 1);
    assert_int_equal(found.at[0], RETURN - 1);
    SB_VEC_FREE(&found);
}

/* With frame pointers the return address is on top of the stack, or below a frame pointer that was just pushed. */
static void
test_frame_begins(void **state)
{
    (void)state;
    enum { AT = 0x10000, END = 0x20000, RETURN = 0x10108, FRAME = 0x7040, TERM = 0x1020a };
    struct sb_cpu_code_range jit = {.from = AT, .to = END};
    static const uint64_t word[][2] = {{RETURN, TERM}, {FRAME, RETURN}, {FRAME + 8, RETURN}, {TERM, RETURN}};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++) {
        const struct sb_cpu_stack stack = {word[i], 0x7000, 2};
        struct sb_cpu_code c = {
            .pid = (uint32_t)getpid(), .has_frames = true, .memory = {.at = &jit, .n = 1}};
        sb_cpu_addresses found = {0};
        sb_cpu_add_callers(&c, &found, &stack, (struct sb_cpu_regs){.ip = AT + 8, .bp = FRAME});
        assert_int_equal(found.n, i < 2);
        SB_VEC_FREE(&found);
    }
}

/* A NIF has the name of the code that holds its address; none if the code of two functions does. */
static void
test_nif(void **state)
{
    (void)state;
    enum { WORDS_OF_CODE = 8, FUNCTIONS = 3 };
    const uint64_t begin = (uint64_t)(uintptr_t)deep;
    const uint64_t code[FUNCTIONS][WORDS_OF_CODE] = {{begin + 8}, {0, begin}, {0, begin}};
    static const char *const name[] = {"shop:other/0", "shop:price/1", "shop:price_of/1"};
    struct sb_cpu_code c;
    struct sb_cpu_code_place at = {0};
    sb_cpu_code_open(&c, (uint32_t)getpid(), NULL);
    if (sb_cpu_code_begin(&c, begin + 1) != begin)
        skip();
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        uint64_t from = (uint64_t)(uintptr_t)code[i], to = from + sizeof code[i];
        *SB_PUSH(&c.jit) =
            (struct sb_cpu_code_range){from, to, to, sb_intern_put(&c.names, sb_str_of(name[i])), i, 0};
        assert_int_equal(sb_cpu_nif_at(&c, begin + 1, &at), i == 1);
        if (i == 1)
            assert_string_equal(sb_intern_text(&c.names, at.name).p, name[i]);
    }
    sb_cpu_code_close(&c, false);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_callers),      cmocka_unit_test(test_short_copy),
                                       cmocka_unit_test(test_names),        cmocka_unit_test(test_untold),
                                       cmocka_unit_test(test_frame_begins), cmocka_unit_test(test_nif)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
