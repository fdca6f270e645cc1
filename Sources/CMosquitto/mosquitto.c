// SPDX-License-Identifier: Apache-2.0
#include "CMosquitto.h"

#include <pthread.h>

#include "CLazy.h"

static struct lazy_library mosquitto = {.name = "libmosquitto.so.1"};

#define MQ(result, name, parameters, arguments) LAZY_FUNCTION(&mosquitto, result, name, parameters, arguments)

MQ(int, mosquitto_lib_init, (void), ())

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) { mosquitto_lib_init(); }

bool mosquitto_load(void) {
  if (!lazy_library_load(&mosquitto)) return false;
  pthread_once(&once, prepare);
  return true;
}

// The client and its settings.
MQ(struct mosquitto *, mosquitto_new, (const char *id, bool clean_session, void *obj), (id, clean_session, obj))
MQ(void, mosquitto_destroy, (struct mosquitto * mosq), (mosq))
MQ(int, mosquitto_will_set,
   (struct mosquitto * mosq, const char *topic, int payloadlen, const void *payload, int qos, bool retain),
   (mosq, topic, payloadlen, payload, qos, retain))
MQ(int, mosquitto_username_pw_set, (struct mosquitto * mosq, const char *username, const char *password),
   (mosq, username, password))
MQ(int, mosquitto_threaded_set, (struct mosquitto * mosq, bool threaded), (mosq, threaded))
MQ(int, mosquitto_max_inflight_messages_set, (struct mosquitto * mosq, unsigned int max_inflight_messages),
   (mosq, max_inflight_messages))
MQ(int, mosquitto_tls_set,
   (struct mosquitto * mosq, const char *cafile, const char *capath, const char *certfile, const char *keyfile,
    int (*pw_callback)(char *buf, int size, int rwflag, void *userdata)),
   (mosq, cafile, capath, certfile, keyfile, pw_callback))
MQ(int, mosquitto_tls_opts_set,
   (struct mosquitto * mosq, int cert_reqs, const char *tls_version, const char *ciphers),
   (mosq, cert_reqs, tls_version, ciphers))

// The connection.
MQ(int, mosquitto_connect, (struct mosquitto * mosq, const char *host, int port, int keepalive),
   (mosq, host, port, keepalive))
MQ(int, mosquitto_disconnect, (struct mosquitto * mosq), (mosq))
MQ(int, mosquitto_loop, (struct mosquitto * mosq, int timeout, int max_packets), (mosq, timeout, max_packets))

// Messages.
MQ(int, mosquitto_publish,
   (struct mosquitto * mosq, int *mid, const char *topic, int payloadlen, const void *payload, int qos,
    bool retain),
   (mosq, mid, topic, payloadlen, payload, qos, retain))
MQ(int, mosquitto_subscribe, (struct mosquitto * mosq, int *mid, const char *sub, int qos),
   (mosq, mid, sub, qos))

// Callbacks.
MQ(void, mosquitto_connect_callback_set,
   (struct mosquitto * mosq, void (*on_connect)(struct mosquitto *, void *, int)), (mosq, on_connect))
MQ(void, mosquitto_disconnect_callback_set,
   (struct mosquitto * mosq, void (*on_disconnect)(struct mosquitto *, void *, int)), (mosq, on_disconnect))
MQ(void, mosquitto_publish_callback_set,
   (struct mosquitto * mosq, void (*on_publish)(struct mosquitto *, void *, int)), (mosq, on_publish))
MQ(void, mosquitto_message_callback_set,
   (struct mosquitto * mosq,
    void (*on_message)(struct mosquitto *, void *, const struct mosquitto_message *)),
   (mosq, on_message))
