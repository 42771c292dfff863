/* A flame graph to look at in a browser: one HTML file with its data, flame.html around it. */
#include "export/paths.h"

SB_EXPORTER(flame) = {
    .name = "flame",
    .suffix = ".html",
    .doc = "a flame graph to zoom and search, in one HTML file: browsers",
    .what = SB_STACKS_WHAT,
    .write = write_flame,
};

extern const char sb_flame_html[]; /* from flame.html */
static const char place[] = "@DATA@";

/* As JSON inside an element of script, which no text may end. */
static void
put_text(struct sb_out *out, struct sb_str s)
{
    sb_out_char(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        unsigned char c = (unsigned char)s.p[i];
        if (c < ' ' || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\')
            sb_out_printf(out, "\\u%04x", c);
        else
            sb_out_char(out, (char)c);
    }
    sb_out_char(out, '"');
}

static void
put_key(struct sb_out *out, const char *before, const char *key)
{
    sb_out_printf(out, "%s\"%s\":", before, key);
}

static void
put_data(struct sb_out *out, const struct sb_stacks *s, const struct sb_paths *paths)
{
    bool counts = sb_stacks_counts(s);
    put_key(out, "{", "title");
    put_text(out, s->source == SB_STACK_CPU ? SB_STR("CPU time by function") : SB_STR("Time by function"));
    put_key(out, ",", "what");
    put_text(out, s->source == SB_STACK_CPU ? SB_STR("samples of the CPU time of the VM's threads")
                                            : SB_STR("all processes"));
    put_key(out, ",", "unit");
    put_text(out, counts ? SB_STR("samples") : SB_STR("ns"));
    put_key(out, ",", "names");
    for (uint32_t i = 0; i < s->names.n; i++) {
        sb_out_char(out, i ? ',' : '[');
        put_text(out, sb_intern_text(&s->names, i));
    }
    put_key(out, "],", "name");
    for (size_t i = 0; i < paths->nodes.n; i++)
        sb_out_printf(out, "%c%u", i ? ',' : '[', paths->nodes.at[i].name);
    put_key(out, "],", "parent");
    for (size_t i = 0; i < paths->nodes.n; i++)
        sb_out_printf(out, "%c%u", i ? ',' : '[', paths->nodes.at[i].parent);
    put_key(out, "],", "total");
    for (size_t i = 0; i < paths->nodes.n; i++)
        sb_out_printf(out, "%c%lld", i ? ',' : '[', (long long)paths->nodes.at[i].total);
    sb_out_z(out, "]}");
}

static bool
write_flame(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
            struct sb_err *e)
{
    struct sb_stacks stacks;
    struct sb_paths paths;
    SB_TRY(sb_stacks_open(&stacks, p, o, e));
    sb_stacks_note_folding(&stacks);
    sb_paths_open(&paths);
    sb_paths_add_all(&paths, &stacks);
    const char *data = strstr(sb_flame_html, place);
    sb_out_bytes(out, sb_flame_html, (size_t)(data - sb_flame_html));
    put_data(out, &stacks, &paths);
    sb_out_z(out, data + strlen(place));
    sb_paths_close(&paths);
    sb_stacks_close(&stacks);
    return true;
}
