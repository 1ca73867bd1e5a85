/* Shifts the wall clock of one program by LANESUM_TEST_CLOCK seconds. With it a test decides whether the times of
 * files that it has just written count as old. Loaded by LD_PRELOAD; file times are not shifted. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = (int)syscall(SYS_clock_gettime, clock, time);
  const char *shift = getenv("LANESUM_TEST_CLOCK");
  if (result == 0 && clock == CLOCK_REALTIME && shift != NULL) {
    time->tv_sec += atol(shift);
  }
  return result;
}
