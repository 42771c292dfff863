/*
 * What a layer to the right computes from a profile once, such as the accounts of src/why: it lives as long as
 * the profile, and all connections share it.
 */
#pragma once
#include "profile/profile.h"

struct sb_derived {
    size_t bytes; /* of a value; it begins with zeros */
    /* false: it cannot be computed, and the error is in e; the next caller tries again */
    bool (*make)(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e);
    void (*close)(void *value); /* frees what is not in the arena; NULL: nothing */
};
/* The value of `what`, which is computed by the first caller; other threads wait for it. `make` may derive
 * other values from the same profile. */
const void *sb_profile_derive(const struct sb_profile *p, const struct sb_derived *what, struct sb_err *e);
