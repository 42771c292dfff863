/* The rules about services of OTP: files, output, logger and code. */
#ifndef SB_WHY_SERVICE_H
#define SB_WHY_SERVICE_H
#include "why/find/finding.h"

/* Adds a finding if processes waited for services of that kind. */
void sb_service_put(struct sb_why *w, enum sb_service kind, const char *what);

#endif
