// SPDX-License-Identifier: Apache-2.0
// PostgreSQL's client library, loaded when a PostgreSQL database is used.
#ifndef CLIBPQ_H
#define CLIBPQ_H

#include <postgresql/libpq-fe.h>
#include <stdbool.h>

// Loads libpq. Returns false where it is not installed; call it before any function of libpq.
bool libpq_load(void);

#endif
