// SPDX-License-Identifier: Apache-2.0
// The cost of one-row transactions without a server: eight threads take turns at one connection,
// each commit as durable as the server's (WAL, synchronous=FULL). Prints one line of JSON.
//   commit_yardstick FILE SECONDS
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 8, MOST = 2000000 };

static sqlite3 *database;
static sqlite3_stmt *begin, *insert, *commit;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static double stop_at;
static float *latencies;
static long commits;

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return (double)moment.tv_sec + (double)moment.tv_nsec / 1e9;
}

static void require(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "commit_yardstick: %s: %s\n", what, sqlite3_errmsg(database));
  exit(1);
}

static void execute(const char *sql) {
  require(sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK, sql);
}

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *statement = NULL;
  require(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, sql);
  return statement;
}

static void step(sqlite3_stmt *statement) {
  require(sqlite3_step(statement) == SQLITE_DONE, "step");
  sqlite3_reset(statement);
}

static void *work(void *unused) {
  (void)unused;
  for (;;) {
    double started = now();
    if (started >= stop_at) return NULL;
    pthread_mutex_lock(&turn);
    step(begin);
    sqlite3_bind_int64(insert, 1, commits);
    step(insert);
    step(commit);
    if (commits < MOST) latencies[commits] = (float)(now() - started);
    commits++;
    pthread_mutex_unlock(&turn);
  }
}

static int compare(const void *a, const void *b) {
  float left = *(const float *)a, right = *(const float *)b;
  return (left > right) - (left < right);
}

static int read_setting(const char *sql) {
  sqlite3_stmt *statement = prepare(sql);
  int value = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int(statement, 0) : -1;
  sqlite3_finalize(statement);
  return value;
}

int main(int count, char **arguments) {
  require(count == 3, "usage: commit_yardstick FILE SECONDS");
  double seconds = atof(arguments[2]);
  latencies = calloc(MOST, sizeof *latencies);
  require(latencies != NULL, "memory");
  require(sqlite3_open(arguments[1], &database) == SQLITE_OK, "open");
  execute("PRAGMA journal_mode=WAL");
  execute("PRAGMA synchronous=FULL");
  require(read_setting("PRAGMA synchronous") == 2, "synchronous is not FULL");
  execute("CREATE TABLE rows (id INTEGER PRIMARY KEY, other INTEGER, body TEXT)");
  execute("CREATE INDEX rows_by_other ON rows (other)");
  begin = prepare("BEGIN IMMEDIATE");
  insert = prepare("INSERT INTO rows (other, body) VALUES (?1 * 7919 % 100003, printf('%100d', ?1))");
  commit = prepare("COMMIT");

  double started = now();
  stop_at = started + seconds;
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    require(pthread_create(&threads[i], NULL, work, NULL) == 0, "thread");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  double elapsed = now() - started;

  long kept = commits < MOST ? commits : MOST;
  require(kept > 0, "no commit");
  qsort(latencies, (size_t)kept, sizeof *latencies, compare);
  printf("{\"requests\":%ld,\"seconds\":%.3f,\"p50\":%.3f,\"p99\":%.3f,\"errors\":0}\n", commits,
         elapsed, latencies[kept / 2] * 1e3, latencies[kept * 99 / 100] * 1e3);
  return 0;
}
