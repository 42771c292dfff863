#include "live/drain/cpu_callers.h"
#include "live/drain/cpu_nifs.h"
#include <sys/uio.h>

enum { CODE = 64 /* bytes that the call of a built-in function takes at most */ };

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

/* Whether the code of the JIT that `address` is in was called at `call`, and the code there, which stays as it is if
 * the node is gone. */
static bool
is_call(const struct sb_cpu_code *c, struct sb_cpu_code_place in, uint64_t call, uint64_t address,
        uint8_t code[CODE])
{
    struct iovec here = {code, CODE},
                 there = {(void *)(uintptr_t)call, CODE}; // NOLINT(performance-no-int-to-ptr)
    bool is_read = process_vm_readv((pid_t)c->pid, &here, 1, &there, 1, 0) == CODE;
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

struct sb_cpu_found
sb_cpu_add_callers(struct sb_cpu_code *c, sb_cpu_addresses *to, const struct sb_cpu_stack *s,
                   struct sb_cpu_regs r)
{
    struct sb_cpu_code_place in;
    sb_cpu_code_meet(c, r.ip);
    bool is_told = sb_cpu_code_is_jit(c, r.ip, &in), is_untold = sb_cpu_code_is_untold(c, r.ip);
    if (!is_told && !is_untold)
        return leave_files(c, to, s, r);
    if (is_untold || in.kind == SB_CPU_CODE_ERLANG) /* names come after the first samples of new code */
        leave_erlang(c, to, s, r.bp);
    return (struct sb_cpu_found){0};
}
