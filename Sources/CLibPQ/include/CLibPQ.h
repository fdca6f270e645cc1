// SPDX-License-Identifier: Apache-2.0
// PostgreSQL's client library, loaded on first use of a PostgreSQL database.
#ifndef CLIBPQ_H
#define CLIBPQ_H

#include <postgresql/libpq-fe.h>
#include <stdbool.h>

// Loads libpq. Returns false if it is not installed, or older than version 14. Call it before any function of libpq.
bool libpq_load(void);

#endif
