/*
 * Names of things in exports, so that a process has the same name in every viewer. Texts are in the profile
 * or in the caller's buffer. Unknown names are shown as words, never as an empty text.
 */
#pragma once
#include "profile/profile.h"

#define SB_LABEL_MAX 4096 /* two atoms of 255 characters fit in any script */
#define SB_NO_ROW UINT64_MAX
struct sb_label {
    char text[SB_LABEL_MAX];
    size_t n;
};

uint64_t sb_label_row(const struct sb_profile *p, enum sb_tab t,
                      int64_t id); /* of a table whose column 0 is its id */
/* in the syntax of its source language: Enum.map/2, lists:map/2 */
struct sb_str sb_label_name(struct sb_str mfa, struct sb_label *l);
struct sb_str sb_label_function(const struct sb_profile *p, int64_t text_id,
                                struct sb_label *l); /* `unknown` for NULL */
struct sb_str sb_label_type(const struct sb_profile *p, int64_t process,
                            struct sb_label *l); /* entry, else name, else `process` */
struct sb_str sb_label_entry(const struct sb_profile *p, int64_t process); /* as the profile writes it */
struct sb_str sb_label_process(const struct sb_profile *p, int64_t process,
                               struct sb_label *l); /* <0.9.0> name */
struct sb_str sb_label_scheduler(const struct sb_profile *p, int64_t scheduler, struct sb_label *l);
struct sb_str sb_label_node(const struct sb_profile *p, int64_t node, struct sb_label *l);

struct sb_str sb_label_print(struct sb_label *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* For formats without quoting: control characters become blanks, `avoid` (0: none) becomes its full-width
 * form. */
struct sb_out;
void sb_label_line(struct sb_out *out, struct sb_str s, char avoid);
