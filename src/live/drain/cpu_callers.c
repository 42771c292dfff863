#include "live/drain/cpu_callers.h"
#include "live/drain/cpu_nifs.h"
#include <sys/uio.h>

enum { CODE = 64 /* bytes that the call of a built-in function takes at most */ };

/* Code stays as it is, if the node is not gone. */
static bool
read_node(const struct sb_cpu_code *c, uint64_t from, void *to, size_t n)
{
    struct iovec here = {to, n}, there = {(void *)(uintptr_t)from, n}; // NOLINT(performance-no-int-to-ptr)
    return process_vm_readv((pid_t)c->pid, &here, 1, &there, 1, 0) == (ssize_t)n;
}

/* Whether the code at `from` soon calls the code that `to` is in. The JIT does so by the distance (E8). */
static bool
calls(const uint8_t code[CODE], uint64_t from, uint64_t to)
{
    enum { LONGEST = 1024, CALL = 0xe8 };
    for (size_t i = 0; i + 5 <= CODE; i++) {
        int32_t distance;
        memcpy(&distance, code + i + 1, sizeof distance);
        uint64_t called = from + i + 5 + (uint64_t)(int64_t)distance;
        if (code[i] == CALL && to >= called && to - called < LONGEST)
            return true;
    }
    return false;
}

/* The function in C that the code at `from` calls before it returns, by the distance or by an address that lies behind
 * it (FF 15); 0: none. */
static uint64_t
calls_in_c(struct sb_cpu_code *c, const uint8_t *code, size_t n, uint64_t from)
{
    enum { CALL = 0xe8, CALL_BY = 0xff, NEXT = 0x15, RETURN = 0xc3 };
    for (size_t i = 0; i + 6 <= n && code[i] != RETURN; i++) {
        bool is_by = code[i] == CALL_BY && code[i + 1] == NEXT;
        int32_t distance;
        if (!is_by && code[i] != CALL)
            continue;
        memcpy(&distance, code + i + 1 + is_by, sizeof distance);
        uint64_t address = from + i + 5 + is_by + (uint64_t)(int64_t)distance;
        if (is_by && !read_node(c, address, &address, sizeof address))
            continue;
        if (sb_cpu_code_starts(c, address))
            return address;
    }
    return 0;
}

/* The function in C that this code loads the address of into a register, to have it called; 0: none. */
static uint64_t
loads(struct sb_cpu_code *c, const uint8_t code[CODE])
{
    enum { REX = 0x48, REX_EXTENDED = 0x49, MOV = 0xb8, OF_MOV = 0xf8 };
    for (size_t i = 0; i + 10 <= CODE; i++) {
        uint64_t address;
        memcpy(&address, code + i + 2, sizeof address);
        if ((code[i] == REX || code[i] == REX_EXTENDED) && (code[i + 1] & OF_MOV) == MOV &&
            sb_cpu_code_starts(c, address))
            return address;
    }
    return 0;
}

/* Whether the code of the JIT that `address` is in was called at `call`, and the code there. */
static bool
is_call(const struct sb_cpu_code *c, struct sb_cpu_code_place in, uint64_t call, uint64_t address,
        uint8_t code[CODE])
{
    bool is_read = read_node(c, call, code, CODE);
    return in.name == c->calls_bif || (is_read && !c->has_map && calls(code, call, address));
}

/*
 * Out of the functions of files. A built-in function is called by code that all functions share, which keeps the place
 * of the call in the second word above the return address, in the VM's `TMP_MEM`. The caller says which function that
 * is: it may have gone on to another one, without a name. For a NIF none is kept: what is there is of an earlier call.
 */
static struct sb_cpu_found
leave_files(struct sb_cpu_code *c, sb_cpu_addresses *to, const struct sb_cpu_stack *s, struct sb_cpu_regs r)
{
    struct sb_cpu_found found = {.files = 1};
    struct sb_cpu_code_place in;
    uint64_t address = r.ip, from, call;
    for (; found.files < SB_CPU_DEPTH && sb_cpu_code_leave(c, address, s, &r); found.files++) {
        from = address;
        address = r.ip - 1; /* the return address may be the first one after its function */
        if (sb_cpu_code_is_jit(c, address, &in)) {
            uint8_t code[CODE] = {0};
            if (in.name == c->calls_nif || sb_cpu_nif_calls(c, sb_cpu_code_at(c, from)))
                found.nif = found.files - 1;
            else if (in.kind == SB_CPU_CODE_SHARED && sb_cpu_stack_word(s, r.sp + sizeof call, &call) &&
                     is_call(c, in, call, address, code)) {
                sb_cpu_code_is_jit(c, address = call, &in);
                uint64_t builtin = loads(c, code);
                if (builtin)
                    *SB_PUSH(to) = builtin;
                found.files += builtin != 0;
            }
            found.has_caller = in.kind == SB_CPU_CODE_ERLANG || sb_cpu_code_is_untold(c, address);
            if (found.has_caller)
                *SB_PUSH(to) = address;
            return found;
        }
        *SB_PUSH(to) = address;
    }
    return found;
}

/*
 * The callers of a function of Erlang are the return addresses on its stack. Terms there have a tag in their lowest
 * bits, and return addresses have none. Where code keeps frame pointers, these lead to all but the first, and not to
 * that one if the function has left its frame, or not yet entered it: a loop is there most of the time. Between the two
 * instructions that enter a frame the frame pointer stands on the stack too, which no term is equal to.
 */
static void
leave_erlang(const struct sb_cpu_code *c, sb_cpu_addresses *to, const struct sb_cpu_stack *s, uint64_t bp)
{
    struct sb_cpu_code_place in;
    size_t before = to->n, from = c->has_frames && s->n > 1 && s->word[0] == bp;
    for (size_t i = from; i < (c->has_frames ? from + 1 : s->n) && to->n - before < SB_CPU_DEPTH; i++) {
        uint64_t address = s->word[i] - 1;
        if (s->word[i] % 4 != 0 || s->word[i] == 0)
            continue;
        bool is_told = sb_cpu_code_is_jit(c, address, &in);
        if (is_told ? in.kind == SB_CPU_CODE_ERLANG : sb_cpu_code_is_untold(c, address))
            *SB_PUSH(to) = address;
        else if (!is_told)
            continue;
        else if (sb_cpu_code_is_jit(c, s->word[i], &in) && in.name == c->normal_exit)
            return; /* the stack ends here */
    }
}

/*
 * Code that all functions share, as that of an operator, was called from the top of the stack of Erlang, or from the
 * word above the frame pointer that it put there: the instruction before that address calls it. Once it runs C that
 * stack cannot be found. Without a name of its own, such code is called what it calls in C, in place of its address,
 * the last one in `to`.
 */
static bool
leave_shared(struct sb_cpu_code *c, sb_cpu_addresses *to, const struct sb_cpu_stack *s, uint64_t ip,
             bool is_named)
{
    enum { LENGTH = 5, CALL = 0xe8, LONGEST = 1024, FIRST = 192 };
    for (size_t i = 0; i < (c->has_frames ? 2 : 1) && i < s->n; i++) {
        uint8_t code[FIRST];
        int32_t distance;
        uint64_t call = s->word[i] - LENGTH;
        struct sb_cpu_code_place by;
        if (!sb_cpu_code_is_jit(c, call, &by) || by.kind != SB_CPU_CODE_ERLANG ||
            !read_node(c, call, code, LENGTH) || code[0] != CALL)
            continue;
        memcpy(&distance, code + 1, sizeof distance);
        uint64_t begin = s->word[i] + (uint64_t)(int64_t)distance, first = 0;
        if (begin > ip || ip - begin >= LONGEST)
            continue;
        if (!is_named && read_node(c, begin, code, sizeof code))
            first = calls_in_c(c, code, sizeof code, begin);
        to->at[to->n - 1] = first ? first : ip;
        *SB_PUSH(to) = call;
        return true;
    }
    return false;
}

struct sb_cpu_found
sb_cpu_add_callers(struct sb_cpu_code *c, sb_cpu_addresses *to, const struct sb_cpu_stack *s,
                   struct sb_cpu_regs r)
{
    struct sb_cpu_code_place in;
    sb_cpu_code_meet(c, r.ip);
    bool is_told = sb_cpu_code_is_jit(c, r.ip, &in), is_untold = sb_cpu_code_is_untold(c, r.ip);
    if (!is_told && !is_untold)
        return leave_files(c, to, s, r);
    bool is_shared =
        is_told && in.kind == SB_CPU_CODE_SHARED && leave_shared(c, to, s, r.ip, in.name != c->unnamed);
    if (is_untold || is_shared || in.kind == SB_CPU_CODE_ERLANG) /* names come after samples of new code */
        leave_erlang(c, to, s, r.bp);
    return (struct sb_cpu_found){0};
}
