/*
 * Both servers take one message of protocol buffers: labels, and pprof as it is exported. Pyroscope takes it as the
 * body of a request (Connect). Parca speaks gRPC; by its form for browsers (gRPC-Web) HTTP 1.1 is enough:
 *
 *     request:   0 | length, 4 bytes big-endian | message
 *     response:  headers | frames ... | 0x80 | length | "grpc-status: 0\r\n"    status: there or in the headers
 */
#include "export/upload.h"
#include "export/protobuf.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { /* of curl/curl.h */
       OPT_WRITEDATA = 10001,
       OPT_URL,
       OPT_ERRORBUFFER = 10010,
       OPT_POSTFIELDS = 10015,
       OPT_HTTPHEADER = 10023,
       OPT_CAINFO = 10065,
       OPT_WRITEFUNCTION = 20011,
       OPT_HEADER = 42,
       OPT_NOSIGNAL = 99,
       OPT_TIMEOUT_MS = 155,
       OPT_CONNECTTIMEOUT_MS,
       OPT_PROTOCOLS = 181,
       OPT_POSTFIELDSIZE_LARGE = 30120,
       INFO_RESPONSE_CODE = 0x200002,
       HTTP_AND_HTTPS = 3,
       ERROR_SIZE = 256
};
enum { ATTEMPTS = 4, FIRST_PAUSE_US = 500000, CONNECT_MS = 10000, ALL_MS = 60000, ANSWER_AT_MOST = 1 << 16 };

struct curl {
#define CALL(returns, name, takes) returns(*name) takes;
#include "export/upload.def"
#undef CALL
};

struct answer {
    struct sb_out text; /* headers and body */
    long code;          /* of HTTP */
    char error[ERROR_SIZE];
    int failed; /* of libcurl: nothing came, or not all */
};

static const struct server {
    const char *path, *type;
    unsigned series, normalized; /* field numbers; 0: it has none */
    bool frames, nests;          /* in frames of gRPC-Web; labels are within a message of labels */
} servers[] = {
    [SB_UPLOAD_PYROSCOPE] = {"/push.v1.PusherService/Push", "application/proto", 1, 0, false, false},
    [SB_UPLOAD_PARCA] = {"/parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw",
                         "application/grpc-web+proto", 2, 3, true, true},
};

static bool
load(struct curl *c, struct sb_err *e) /* it stays loaded: the program is over soon */
{
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    bool all = library != NULL;
#define CALL(returns, name, takes) all = all && (c->name = dlsym(library, "curl_" #name)) != NULL;
#include "export/upload.def"
#undef CALL
    if (all && c->global_init(3 /* all of it */) == 0)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "libcurl, which sends profiles, is not installed");
    return sb_err_advise(e, "install libcurl4");
}

/* ---- the message ---- */

static void
put_label(struct sb_pb *b, struct sb_str key, struct sb_str value)
{
    sb_pb_begin(b, 1);
    sb_pb_str(b, 1, key);
    sb_pb_str(b, 2, value);
    sb_pb_end(b);
}

static bool
has_label(const struct sb_upload *to, const char *key)
{
    for (size_t i = 0; i < to->n_labels; i++) {
        struct sb_str rest = sb_str_of(to->label[i]);
        if (sb_str_eq(sb_str_cut(&rest, '='), sb_str_of(key)))
            return true;
    }
    return false;
}

/* The name of the first node that was traced: shop of shop@host. */
static struct sb_str
service(const struct sb_profile *p)
{
    uint64_t row = 0, n = sb_profile_rows(p, SB_T_node);
    while (row < n && SB_CELL(p, node, trace_start, row) == SB_NULL)
        row++;
    struct sb_str name = sb_profile_text(p, SB_CELL(p, node, name, row)), first = sb_str_cut(&name, '@');
    return first.n > 0 ? first : SB_STR("beam");
}

static void
put_message(struct sb_pb *b, const struct sb_upload *to, const struct sb_profile *p, struct sb_str pprof)
{
    const struct server *s = &servers[to->server];
    sb_pb_begin(b, s->series);
    if (s->nests)
        sb_pb_begin(b, 1);
    if (!has_label(to, "__name__"))
        put_label(b, SB_STR("__name__"), SB_STR("process_cpu"));
    if (!has_label(to, "service_name"))
        put_label(b, SB_STR("service_name"), service(p));
    for (size_t i = 0; i < to->n_labels; i++) {
        struct sb_str value = sb_str_of(to->label[i]), key = sb_str_cut(&value, '=');
        put_label(b, key, value);
    }
    if (s->nests)
        sb_pb_end(b);
    sb_pb_begin(b, 2);
    sb_pb_begin(b, 1);
    sb_pb_reserve(b, pprof.n);
    memcpy(b->at + b->n, pprof.p, pprof.n);
    b->n += pprof.n;
    sb_pb_end(b);
    sb_pb_end(b);
    sb_pb_end(b);
    if (s->normalized)
        sb_pb_u64(b, s->normalized, 1);
}

/* ---- sending ---- */

static size_t
keep(const char *at, size_t size, size_t n, void *answer)
{
    struct answer *a = answer;
    if (a->text.n < ANSWER_AT_MOST)
        sb_out_bytes(&a->text, at, size * n);
    return size * n;
}

static void *
headers(const struct curl *c, const struct sb_upload *to)
{
    char line[4096];
    const char *token = getenv("STROBE_PUSH_TOKEN");
    snprintf(line, sizeof line, "Content-Type: %s", servers[to->server].type);
    void *list = c->slist_append(NULL, line);
    list = c->slist_append(list, "Expect:");
    if (servers[to->server].frames)
        list = c->slist_append(list, "X-Grpc-Web: 1");
    if (token && token[0]) {
        snprintf(line, sizeof line, "Authorization: Bearer %s", token);
        list = c->slist_append(list, line);
    }
    for (size_t i = 0; i < to->n_headers; i++)
        list = c->slist_append(list, to->header[i]);
    return list;
}

static void
post(const struct curl *c, const struct sb_upload *to, void *list, struct sb_str body, struct answer *a)
{
    char url[4096];
    void *h = c->easy_init();
    size_t n = strlen(to->url);
    while (n > 0 && to->url[n - 1] == '/')
        n--;
    snprintf(url, sizeof url, "%.*s%s", (int)n, to->url, servers[to->server].path);
    a->text.n = 0;
    a->code = 0;
    a->error[0] = '\0';
    c->easy_setopt(h, OPT_URL, url);
    c->easy_setopt(h, OPT_HTTPHEADER, list);
    c->easy_setopt(h, OPT_POSTFIELDSIZE_LARGE, (int64_t)body.n);
    c->easy_setopt(h, OPT_POSTFIELDS, body.p);
    c->easy_setopt(h, OPT_WRITEFUNCTION, keep);
    c->easy_setopt(h, OPT_WRITEDATA, a);
    c->easy_setopt(h, OPT_ERRORBUFFER, a->error);
    c->easy_setopt(h, OPT_HEADER, 1L);
    c->easy_setopt(h, OPT_NOSIGNAL, 1L);
    c->easy_setopt(h, OPT_PROTOCOLS, (long)HTTP_AND_HTTPS);
    c->easy_setopt(h, OPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    c->easy_setopt(h, OPT_TIMEOUT_MS, (long)ALL_MS);
    if (getenv("SSL_CERT_FILE")) /* which OpenSSL knows, and libcurl does not */
        c->easy_setopt(h, OPT_CAINFO, getenv("SSL_CERT_FILE"));
    a->failed = c->easy_perform(h);
    c->easy_getinfo(h, INFO_RESPONSE_CODE, &a->code);
    if (a->failed && !a->error[0])
        snprintf(a->error, sizeof a->error, "%s", c->easy_strerror(a->failed));
    c->easy_cleanup(h);
}

/* The text after `name` on a line of the answer; empty: there is none. */
static struct sb_str
find_line(const struct answer *a, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n <= a->text.n; i++)
        if (strncasecmp(a->text.buf + i, name, n) == 0) {
            struct sb_str rest = {a->text.buf + i + n, a->text.n - i - n};
            return sb_str_trim(sb_str_cut(&rest, '\n'));
        }
    return (struct sb_str){0};
}

static bool
was_taken(const struct sb_upload *to, const struct answer *a)
{
    bool ok = !a->failed && a->code >= 200 && a->code < 300;
    return ok && (!servers[to->server].frames || sb_str_eq(find_line(a, "grpc-status:"), SB_STR("0")));
}

static bool
may_work_later(const struct sb_upload *to, const struct answer *a)
{
    struct sb_str status = find_line(a, "grpc-status:");
    bool grpc =
        servers[to->server].frames && (sb_str_eq(status, SB_STR("14")) || sb_str_eq(status, SB_STR("8")));
    return a->failed == 6 || a->failed == 7 || a->failed == 28 || a->failed == 52 || a->failed == 56 ||
           grpc || a->code == 429 || a->code >= 500;
}

/* What the server says of it, as one line of printable characters. */
static bool
refused(const struct sb_upload *to, const struct answer *a, struct sb_err *e)
{
    char text[128] = "";
    size_t n = 0;
    struct sb_str said = find_line(a, "grpc-message:");
    if (said.n == 0 && a->text.n > 0)
        for (size_t i = 0; i + 4 < a->text.n && said.n == 0; i++)
            if (memcmp(a->text.buf + i, "\r\n\r\n", 4) == 0)
                said = (struct sb_str){a->text.buf + i + 4, a->text.n - i - 4};
    for (size_t i = 0; i < said.n && n + 1 < sizeof text; i++)
        if (said.p[i] >= ' ' && said.p[i] <= '~')
            text[n++] = said.p[i];
    text[n] = '\0';
    if (a->failed)
        sb_err_set(e, SB_ERR_SYSTEM, "cannot send the profile: %s", a->error);
    else
        sb_err_set(e, SB_ERR_SYSTEM, "the server answers with HTTP %ld%s%s", a->code, n > 0 ? ": " : "",
                   text);
    if (a->code == 401 || a->code == 403)
        sb_err_advise(e, "put a token into STROBE_PUSH_TOKEN, or USER:PASSWORD@ before the host of the URL");
    else if (a->code == 404)
        sb_err_advise(e, "is it a server of %s? --server names the other kind",
                      to->server == SB_UPLOAD_PARCA ? "Parca" : "Pyroscope");
    return false;
}

static bool
send_message(const struct curl *c, const struct sb_upload *to, struct sb_str body, struct sb_err *e)
{
    struct answer a = {0};
    void *list = headers(c, to);
    sb_out_to_memory(&a.text);
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        if (i > 0)
            usleep(FIRST_PAUSE_US << (i - 1));
        post(c, to, list, body, &a);
        if (was_taken(to, &a) || !may_work_later(to, &a))
            break;
    }
    bool ok = was_taken(to, &a) || refused(to, &a, e);
    sb_out_abandon(&a.text);
    c->slist_free_all(list);
    return ok;
}

static bool
check(const struct sb_upload *to, struct sb_err *e)
{
    for (size_t i = 0; i < to->n_labels; i++) {
        struct sb_str value = sb_str_of(to->label[i]), key = sb_str_cut(&value, '=');
        bool word = key.n > 0 && value.n > 0 && !isdigit((unsigned char)key.p[0]);
        for (size_t k = 0; k < key.n; k++)
            word &= isalnum((unsigned char)key.p[k]) || key.p[k] == '_';
        if (!word)
            return sb_err_set(
                e, SB_ERR_USAGE,
                "--label takes KEY=VALUE, such as service_name=shop, and KEY is a word, not '%s'",
                to->label[i]);
    }
    for (size_t i = 0; i < to->n_headers; i++)
        if (!strchr(to->header[i], ':') || strpbrk(to->header[i], "\r\n"))
            return sb_err_set(e, SB_ERR_USAGE, "--header takes one line, such as 'X-Scope-OrgID: shop'");
    return true;
}

bool
sb_upload(const struct sb_upload *to, const struct sb_profile *p, const struct sb_export_options *o,
          struct sb_err *e)
{
    struct curl c = {0};
    struct sb_pb b = {0};
    SB_TRY(check(to, e));
    SB_TRY(load(&c, e));
    SB_OUT_TO_MEMORY(pprof);
    bool ok = sb_exporter_find(SB_STR("pprof"))->write(p, o, &pprof, e);
    if (ok) {
        size_t head = servers[to->server].frames ? 5 : 0;
        sb_pb_reserve(&b, head + 1);
        memset(b.at, 0, head + 1);
        b.n = head;
        put_message(&b, to, p, (struct sb_str){pprof.buf, pprof.n});
        for (size_t i = 0; i < 4 && head > 0; i++)
            b.at[1 + i] = (uint8_t)((b.n - head) >> (24 - 8 * i));
        ok = send_message(&c, to, (struct sb_str){(char *)b.at, b.n}, e);
    }
    sb_pb_close(&b);
    const char *at = strrchr(to->url, '@'); /* the password is not shown */
    return ok || sb_err_in(e, at ? at + 1 : to->url, SB_NO_BYTE);
}
