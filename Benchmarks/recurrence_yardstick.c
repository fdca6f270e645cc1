// SPDX-License-Identifier: Apache-2.0
// Expands recurrence rules with libical, converting each occurrence to an instant of its zone.
// recurrence_yardstick ROUNDS FIRST LAST RULE...: prints rounds, instants and processor seconds as
// JSON. FIRST and LAST are local, "20160301T000000"; a rule that begins with "UTC;" is expanded in
// UTC.
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int rounds = atoi(arguments[1]);
  icaltimezone *oslo = icaltimezone_get_builtin_timezone("Europe/Oslo");
  icaltimezone *utc = icaltimezone_get_utc_timezone();
  if (!oslo) return 3;
  long instants = 0;
  long long sum = 0;
  // The zone is loaded and its changes are listed before the timing starts.
  struct icaltimetype last = icaltime_from_string(arguments[3]);
  icaltime_as_timet_with_zone(last, oslo);
  double begin = now();
  for (int round = 0; round < rounds; round++) {
    for (int index = 4; index < count; index++) {
      int elapsed = strncmp(arguments[index], "UTC;", 4) == 0;
      icaltimezone *zone = elapsed ? utc : oslo;
      struct icaltimetype first = icaltime_from_string(arguments[2]);
      struct icalrecurrencetype rule =
          icalrecurrencetype_from_string(arguments[index] + (elapsed ? 4 : 0));
      icalrecur_iterator *iterator = icalrecur_iterator_new(rule, first);
      if (!iterator) return 4;
      for (;;) {
        struct icaltimetype next = icalrecur_iterator_next(iterator);
        if (icaltime_is_null_time(next) || icaltime_compare(next, last) >= 0) break;
        sum += icaltime_as_timet_with_zone(next, zone);
        instants++;
      }
      icalrecur_iterator_free(iterator);
    }
  }
  double seconds = now() - begin;
  printf("{\"rounds\":%d,\"instants\":%ld,\"seconds\":%.6f,\"sum\":%lld}\n", rounds,
         instants / rounds, seconds, sum);
  return 0;
}
