/* One record of any bytes: whatever a payload says, decoding stays inside it and ends, and who has seen
 * others of its kind reads it as who has not. */
#include "trace/otp/otp_impl.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUNS_OF_A_DICTIONARY = 5000 }; /* then a new one: it grows with what it is fed */

static struct otp_decoder *decoder, *forgetful;
static struct otp_state state;
static struct sb_names *names;
static unsigned runs;

static struct otp_decoder *
new_decoder(void)
{
    struct otp_decoder *d = calloc(1, sizeof *d);
    SB_ASSERT(d);
    d->names = names;
    d->state = &state;
    return d;
}

static void
renew(void)
{
    free(decoder);
    free(forgetful);
    sb_names_close(names);
    names = sb_names_open();
    decoder = new_decoder();
    forgetful = new_decoder();
    state = (struct otp_state){0};
    static const struct sb_str atoms[OTP_ATOMS] = {
#define ATOM(id, text) [OTP_##id] = {text, sizeof text - 1},
#include "trace/otp/otp_atoms.def"
#undef ATOM
    };
    for (uint32_t i = 1; i < OTP_ATOMS; i++)
        SB_ASSERT(sb_names_atom(names, atoms[i]) == i);
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        state.blank[k] = sb_event_of((enum sb_event_kind)k);
}

static bool
decode(struct otp_decoder *d, const uint8_t *payload, size_t size, struct sb_event *ev)
{
    d->keep_text = runs & 1;
    d->why = NULL;
    bool ok = otp_record(d, payload, (uint32_t)size, ev);
    SB_ASSERT(ok ? d->p == d->end && ev->kind < SB_EVENT_KINDS : d->why != NULL);
    return ok;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (runs++ % RUNS_OF_A_DICTIONARY == 0)
        renew();
    uint8_t *payload = malloc(size + 1); /* an allocation of its own: a byte too far is seen */
    SB_ASSERT(payload);
    payload[0] = SB_ETF_VERSION;
    if (size)
        memcpy(payload + 1, data, size);
    struct sb_event ev, again;
    bool node_known = state.local.known, ok = decode(decoder, payload, size + 1, &ev);
    memset(forgetful->start, 0, sizeof forgetful->start);
    if (node_known)
        SB_ASSERT(decode(forgetful, payload, size + 1, &again) == ok &&
                  (!ok || memcmp(&ev, &again, sizeof ev) == 0));
    free(payload);
    return 0;
}
