/* A clock on the wall that can be set. It begins CLOCK_AHEAD seconds ahead; with every SIGUSR2 it jumps by the next of
   CLOCK_STEPS, seconds with commas between them, and the timers that hang on it are told so, as the kernel tells those
   that asked for it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile long ahead;
static const char *volatile steps;

int clock_gettime(clockid_t id, struct timespec *time) {
  long result = syscall(SYS_clock_gettime, id, time);
  if (result == 0 && id == CLOCK_REALTIME) time->tv_sec += ahead;
  return (int) result;
}

static void tell(int fd) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
  int info = open(path, O_RDONLY | O_CLOEXEC);
  if (info < 0) return;
  ssize_t count = read(info, text, sizeof text - 1);
  close(info);
  if (count <= 0) return;
  text[count] = 0;
  if (strstr(text, "clockid: 0\n") == NULL) return;
  struct itimerspec at_once = { .it_value = { 0, 1 } };
  timerfd_settime(fd, 0, &at_once, NULL);
}

static void set(int signal) {
  (void) signal;
  char *rest;
  ahead += strtol(steps, &rest, 10);
  steps = *rest == ',' ? rest + 1 : rest;
  for (int fd = 0; fd < 256; fd++) tell(fd);
}

__attribute__((constructor)) static void begin(void) {
  ahead = atol(getenv("CLOCK_AHEAD"));
  steps = getenv("CLOCK_STEPS");
  struct sigaction action = { .sa_handler = set, .sa_flags = SA_RESTART };
  sigaction(SIGUSR2, &action, NULL);
}
