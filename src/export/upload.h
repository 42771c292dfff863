/* Sends a profile as pprof to a server of profiles, Pyroscope or Parca: by HTTP or HTTPS, with libcurl, which is
 * loaded then. One thread. */
#pragma once
#include "export/export.h"

enum sb_upload_server { SB_UPLOAD_PYROSCOPE, SB_UPLOAD_PARCA };

struct sb_upload {
    const char *url; /* of the server; may have a user and a password */
    unsigned server; /* enum sb_upload_server */
    const char *const *label, *const *header;
    size_t n_labels, n_headers; /* "service_name=shop", "X-Scope-OrgID: shop" */
};

/* An attempt that may work later is repeated three times. */
bool sb_upload(const struct sb_upload *to, const struct sb_profile *p, const struct sb_export_options *o,
               struct sb_err *e);
