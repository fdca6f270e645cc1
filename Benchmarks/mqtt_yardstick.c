// SPDX-License-Identifier: Apache-2.0
// The yardstick and the observer of MQTT: publishes messages over one bare connection, or waits for them.
//
//   mqtt_yardstick PORT publish COUNT BYTES   publishes and prints the seconds until all are acknowledged
//   mqtt_yardstick PORT wait COUNT FILTER     prints the seconds from "ready" to the COUNT-th different topic
#include <mosquitto.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long acknowledged, received, wanted;
static bool is_connected, is_subscribed;
static char **topics;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void on_connect(struct mosquitto *client, void *context, int code) {
  (void)client, (void)context;
  is_connected = code == 0;
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int count, const int *granted) {
  (void)client, (void)context, (void)id, (void)count, (void)granted;
  is_subscribed = true;
}

static void on_publish(struct mosquitto *client, void *context, int id) {
  (void)client, (void)context, (void)id;
  acknowledged++;
}

// Open addressing with FNV-1a; the table has four places for each topic.
static bool is_new(const char *topic) {
  unsigned long hash = 1469598103934665603UL;
  for (const char *c = topic; *c; c++) hash = (hash ^ (unsigned char)*c) * 1099511628211UL;
  unsigned long size = (unsigned long)wanted * 4 + 7;
  for (unsigned long place = hash % size;; place = (place + 1) % size) {
    if (!topics[place]) {
      topics[place] = strdup(topic);
      return true;
    }
    if (!strcmp(topics[place], topic)) return false;
  }
}

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message) {
  (void)client, (void)context;
  if (received < wanted && is_new(message->topic)) received++;
}

static void check(int result, const char *what) {
  if (result == MOSQ_ERR_SUCCESS) return;
  fprintf(stderr, "%s: %s\n", what, mosquitto_strerror(result));
  exit(1);
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  bool publishes = !strcmp(arguments[2], "publish");
  wanted = atol(arguments[3]);
  topics = calloc((size_t)wanted * 4 + 7, sizeof *topics);
  mosquitto_lib_init();
  struct mosquitto *client = mosquitto_new(NULL, true, NULL);
  mosquitto_max_inflight_messages_set(client, 100);
  mosquitto_connect_callback_set(client, on_connect);
  mosquitto_subscribe_callback_set(client, on_subscribe);
  mosquitto_publish_callback_set(client, on_publish);
  mosquitto_message_callback_set(client, on_message);
  check(mosquitto_connect(client, "127.0.0.1", atoi(arguments[1]), 60), "connect");
  while (!is_connected) check(mosquitto_loop(client, 100, 1), "connect");
  if (!publishes) {
    check(mosquitto_subscribe(client, NULL, arguments[4], 1), "subscribe");
    while (!is_subscribed) check(mosquitto_loop(client, 100, 1), "subscribe");
    printf("ready\n");
    fflush(stdout);
  }
  double begin = now();
  if (publishes) {
    int bytes = atoi(arguments[4]);
    char *payload = malloc((size_t)bytes + 1);
    memset(payload, 'x', (size_t)bytes);
    for (long sent = 0; acknowledged < wanted;) {
      while (sent < wanted && sent - acknowledged < 500) {
        char topic[64];
        snprintf(topic, sizeof topic, "bare/%ld/state", sent++);
        check(mosquitto_publish(client, NULL, topic, bytes, payload, 1, true), "publish");
      }
      check(mosquitto_loop(client, 100, 1), "publish");
    }
  } else {
    while (received < wanted) check(mosquitto_loop(client, 100, 1), "wait");
  }
  printf("%.3f\n", now() - begin);
  return 0;
}
