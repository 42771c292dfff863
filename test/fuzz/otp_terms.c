/* One record of any bytes: whatever a payload says, decoding stays inside it and ends. */
#include "trace/otp_impl.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUNS_OF_A_DICTIONARY = 5000 }; /* then a new one: it grows with what it is fed */

static struct otp_decoder *decoder;
static struct otp_state state;
static struct sb_names *names;
static unsigned runs;

static void
renew(void)
{
    free(decoder);
    sb_names_close(names);
    names = sb_names_open();
    decoder = calloc(1, sizeof *decoder);
    SB_ASSERT(decoder);
    decoder->names = names;
    decoder->state = &state;
    state = (struct otp_state){0};
    static const struct sb_str atoms[OTP_ATOMS] = {
#define ATOM(id, text) [OTP_##id] = {text, sizeof text - 1},
#include "trace/otp_atoms.def"
#undef ATOM
    };
    for (uint32_t i = 1; i < OTP_ATOMS; i++)
        SB_ASSERT(sb_names_atom(names, atoms[i]) == i);
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        state.blank[k] = sb_event_of((enum sb_event_kind)k);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (runs++ % RUNS_OF_A_DICTIONARY == 0)
        renew();
    uint8_t *payload = malloc(size + 1); /* an allocation of its own: a byte too far is seen */
    SB_ASSERT(payload);
    payload[0] = OTP_VERSION;
    if (size)
        memcpy(payload + 1, data, size);
    struct sb_event ev;
    decoder->keep_text = runs & 1;
    decoder->why = NULL;
    bool ok = otp_record(decoder, payload, (uint32_t)size + 1, &ev);
    SB_ASSERT(ok ? decoder->p == payload + size + 1 && ev.kind < SB_EVENT_KINDS : decoder->why != NULL);
    free(payload);
    return 0;
}
