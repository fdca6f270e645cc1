// SPDX-License-Identifier: Apache-2.0
// Functions of SQLite that take a variable number of arguments, which Swift cannot call.
#include <sqlite3.h>

// Keeps the plan of a prepared statement whatever values are bound to it, and returns SQLite's result code.
// Otherwise SQLite compiles a statement on a table with a partial index anew each time it runs.
static inline int csqlite_enable_stable_plans(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_QPSG, 1, (int *)0);
}
