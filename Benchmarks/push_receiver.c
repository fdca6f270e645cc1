// SPDX-License-Identifier: Apache-2.0
// A push service of minimal cost: one thread, epoll, 201 for every POST. It records the arrival of
// each push by the number at the end of its path. GET /arrivals returns lines "number seconds"
// (seconds since 1970, with a fraction) and clears the list. Prints its port first.
//   push_receiver
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CONNECTIONS = 4096, BUFFER = 16384, MOST_ARRIVALS = 4000000 };

typedef struct {
  size_t used;
  char bytes[BUFFER + 1];
} Connection;

static Connection *connections[MOST_CONNECTIONS];
static struct {
  long number;
  double moment;
} *arrivals;
static size_t arrived;

static void require(int ok, const char *what) {
  if (ok) return;
  perror(what);
  exit(1);
}

static double now(void) {
  struct timespec moment;
  clock_gettime(CLOCK_REALTIME, &moment);
  return (double)moment.tv_sec + (double)moment.tv_nsec / 1e9;
}

static void forget(int descriptor) {
  close(descriptor);
  free(connections[descriptor]);
  connections[descriptor] = NULL;
}

static int send_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t sent = send(descriptor, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return 0;
    bytes += sent;
    count -= (size_t)sent;
  }
  return 1;
}

static int send_arrivals(int descriptor) {
  size_t room = arrived * 48 + 256, used = 0;
  char *text = malloc(room);
  require(text != NULL, "memory");
  for (size_t i = 0; i < arrived; i++) {
    used += (size_t)snprintf(
        text + used, room - used, "%ld %.6f\n", arrivals[i].number, arrivals[i].moment);
  }
  arrived = 0;
  char head[128];
  int length = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", used);
  int ok = send_all(descriptor, head, (size_t)length) && send_all(descriptor, text, used);
  free(text);
  return ok;
}

static int answer(int descriptor, const char *head) {
  static const char created[] = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
  if (strncmp(head, "GET ", 4) == 0) return send_arrivals(descriptor);
  const char *end = head;
  while (*end != '\r' && strncmp(end, " HTTP", 5) != 0) end++;
  const char *digits = end;
  while (digits > head && digits[-1] >= '0' && digits[-1] <= '9') digits--;
  if (arrived < MOST_ARRIVALS) {
    arrivals[arrived].number = atol(digits);
    arrivals[arrived++].moment = now();
  }
  return send_all(descriptor, created, sizeof created - 1);
}

static size_t content_length(const char *head) {
  for (const char *line = strstr(head, "\r\n"); line != NULL; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, "content-length:", 15) == 0) return (size_t)atol(line + 17);
  }
  return 0;
}

// Answers every complete request in the buffer; returns 0 if the connection must be closed.
static int serve(int descriptor, Connection *connection) {
  for (;;) {
    connection->bytes[connection->used] = 0;
    char *end = strstr(connection->bytes, "\r\n\r\n");
    if (end == NULL) return connection->used < BUFFER;
    end[2] = 0;
    size_t whole = (size_t)(end + 4 - connection->bytes) + content_length(connection->bytes);
    end[2] = '\r';
    if (whole > BUFFER) return 0;
    if (connection->used < whole) return 1;
    if (!answer(descriptor, connection->bytes)) return 0;
    connection->used -= whole;
    memmove(connection->bytes, connection->bytes + whole, connection->used);
  }
}

static void receive(int descriptor) {
  Connection *connection = connections[descriptor];
  ssize_t count = recv(
      descriptor, connection->bytes + connection->used, BUFFER - connection->used, 0);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
  if (count <= 0) {
    forget(descriptor);
    return;
  }
  connection->used += (size_t)count;
  if (!serve(descriptor, connection)) forget(descriptor);
}

static void admit(int listener, int poll) {
  int descriptor = accept(listener, NULL, NULL), yes = 1;
  if (descriptor < 0) return;
  if (descriptor >= MOST_CONNECTIONS) {
    close(descriptor);
    return;
  }
  setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  connections[descriptor] = calloc(1, sizeof(Connection));
  require(connections[descriptor] != NULL, "memory");
  struct epoll_event event = {.events = EPOLLIN, .data.fd = descriptor};
  require(epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll_ctl");
}

int main(void) {
  arrivals = calloc(MOST_ARRIVALS, sizeof *arrivals);
  require(arrivals != NULL, "memory");
  int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
  require(listener >= 0 && poll >= 0, "socket");
  struct sockaddr_in address = {
      .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  require(bind(listener, (struct sockaddr *)&address, length) == 0, "bind");
  require(listen(listener, 1024) == 0, "listen");
  require(getsockname(listener, (struct sockaddr *)&address, &length) == 0, "getsockname");
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  require(epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event) == 0, "epoll_ctl");
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (;;) {
    struct epoll_event ready[256];
    int count = epoll_wait(poll, ready, 256, -1);
    for (int i = 0; i < count; i++) {
      if (ready[i].data.fd == listener) {
        admit(listener, poll);
      } else {
        receive(ready[i].data.fd);
      }
    }
  }
}
