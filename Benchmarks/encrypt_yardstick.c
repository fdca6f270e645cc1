// SPDX-License-Identifier: Apache-2.0
// The cost of a push's mathematics without a server: a fresh P-256 key, ECDH, HKDF according to RFC
// 8291, and AES-128-GCM over one payload, on every core. Prints one line of JSON.
//   encrypt_yardstick SECONDS THREADS PAYLOAD_BYTES
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_THREADS = 64, POINT = 65, MOST_BYTES = 4096 };

static EVP_PKEY *receiver;
static unsigned char secret[16], receiver_point[POINT];
static double stop_at;
static int payload_bytes;

static void require(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "encrypt_yardstick: %s\n", what);
  exit(1);
}

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  return (double)moment.tv_sec + (double)moment.tv_nsec / 1e9;
}

static void mac(
    const unsigned char *key, size_t key_length, const unsigned char *text, size_t length,
    unsigned char out[32]) {
  unsigned int size = 32;
  require(HMAC(EVP_sha256(), key, (int)key_length, text, length, out, &size) != NULL, "HMAC");
}

static void point_of(EVP_PKEY *key, unsigned char out[POINT]) {
  size_t length = 0;
  require(EVP_PKEY_get_octet_string_param(key, "pub", out, POINT, &length) == 1, "point");
  require(length == POINT, "an uncompressed point");
}

static void encrypt_one(const unsigned char *payload, unsigned char *out) {
  unsigned char shared[32], salt[16], sender_point[POINT], prk[32], key[32], nonce[32], text[256];
  size_t length = sizeof shared;
  EVP_PKEY *sender = EVP_EC_gen("P-256");
  require(sender != NULL, "key");
  point_of(sender, sender_point);
  EVP_PKEY_CTX *exchange = EVP_PKEY_CTX_new(sender, NULL);
  require(EVP_PKEY_derive_init(exchange) == 1, "ECDH");
  require(EVP_PKEY_derive_set_peer(exchange, receiver) == 1, "ECDH");
  require(EVP_PKEY_derive(exchange, shared, &length) == 1, "ECDH");

  require(RAND_bytes(salt, sizeof salt) == 1, "random");
  mac(secret, sizeof secret, shared, sizeof shared, prk);
  memcpy(text, "WebPush: info", 14);
  memcpy(text + 14, receiver_point, POINT);
  memcpy(text + 14 + POINT, sender_point, POINT);
  text[14 + 2 * POINT] = 1;
  mac(prk, sizeof prk, text, 15 + 2 * POINT, key);
  mac(salt, sizeof salt, key, sizeof key, prk);
  memcpy(text, "Content-Encoding: aes128gcm\0\1", 29);
  mac(prk, sizeof prk, text, 29, key);
  memcpy(text, "Content-Encoding: nonce\0\1", 25);
  mac(prk, sizeof prk, text, 25, nonce);

  int count = 0;
  EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
  require(EVP_EncryptInit_ex(cipher, EVP_aes_128_gcm(), NULL, key, nonce) == 1, "AES");
  require(EVP_EncryptUpdate(cipher, out, &count, payload, payload_bytes) == 1, "AES");
  require(EVP_EncryptFinal_ex(cipher, out + count, &count) == 1, "AES");
  require(EVP_CIPHER_CTX_ctrl(cipher, EVP_CTRL_GCM_GET_TAG, 16, text) == 1, "AES");
  EVP_CIPHER_CTX_free(cipher);
  EVP_PKEY_CTX_free(exchange);
  EVP_PKEY_free(sender);
}

static void *work(void *count) {
  unsigned char payload[MOST_BYTES] = {0}, out[MOST_BYTES + 32];
  long made = 0;
  while (now() < stop_at) {
    encrypt_one(payload, out);
    made++;
  }
  *(long *)count = made;
  return NULL;
}

int main(int count, char **arguments) {
  require(count == 4, "usage: encrypt_yardstick SECONDS THREADS PAYLOAD_BYTES");
  double seconds = atof(arguments[1]);
  int threads = atoi(arguments[2]);
  payload_bytes = atoi(arguments[3]);
  require(threads > 0 && threads <= MOST_THREADS, "threads");
  require(payload_bytes > 0 && payload_bytes <= MOST_BYTES, "bytes");
  receiver = EVP_EC_gen("P-256");
  require(receiver != NULL && RAND_bytes(secret, sizeof secret) == 1, "key");
  point_of(receiver, receiver_point);

  pthread_t running[MOST_THREADS];
  long made[MOST_THREADS] = {0}, all = 0;
  double started = now();
  stop_at = started + seconds;
  for (int i = 0; i < threads; i++) {
    require(pthread_create(&running[i], NULL, work, &made[i]) == 0, "thread");
  }
  for (int i = 0; i < threads; i++) {
    pthread_join(running[i], NULL);
    all += made[i];
  }
  printf("{\"requests\":%ld,\"seconds\":%.3f}\n", all, now() - started);
  return 0;
}
