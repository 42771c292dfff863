/*
 * What the threads of normal schedulers did, by samples of the CPU: the states that microstate accounting has in a VM
 * that was built for them. The outermost function of the VM above code of Erlang decides.
 */
#pragma once
#include "why/run/vm_work.h"

enum sb_vm_state {
#define STATE(id, name, words) SB_VM_IN_##id,
#include "why/run/vm_states.def"
    SB_VM_STATES
};
extern const char *const sb_vm_state_names[], *const sb_vm_state_words[];

/* Samples by state of the threads of a node, without the recorder's; returns their number. */
uint64_t sb_vm_states_find(const struct sb_vm_samples *v, uint32_t node, uint64_t of[SB_VM_STATES]);
