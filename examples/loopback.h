/* Two processes with a link of UDP on this machine, for examples. For POSIX systems. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(int good, const char *what) { good ? (void)0 : (perror(what), exit(1)); }

/* Makes another process. Returns its number, and 0 in the other process. *link gets each one's socket. */
static pid_t fork_with_link(int *link) {
  int ends[2];
  struct sockaddr_in at[2];
  socklen_t length = sizeof *at;
  for (int i = 0; i < 2; i++) { /* at any free ports */
    at[i] = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    ends[i] = socket(AF_INET, SOCK_DGRAM, 0);
    must(bind(ends[i], (struct sockaddr *)&at[i], length) == 0, "bind");
    must(getsockname(ends[i], (struct sockaddr *)&at[i], &length) == 0, "getsockname");
  }
  for (int i = 0; i < 2; i++) must(connect(ends[i], (struct sockaddr *)&at[1 - i], length) == 0, "connect");
  const pid_t other = fork();
  must(other >= 0, "fork");
  *link = ends[other == 0];
  close(ends[other != 0]);
  return other;
}

/* Returns true if a message arrives within some milliseconds. */
static int arrives(int link, int milliseconds) {
  return poll(&(struct pollfd){.fd = link, .events = POLLIN}, 1, milliseconds) > 0;
}

/* Waits for the other process. Returns its exit status. */
static int status_of(pid_t other) {
  int status = 0;
  return waitpid(other, &status, 0) == other && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
