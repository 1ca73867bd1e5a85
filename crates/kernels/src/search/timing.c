/* Times kernels in core cycles; lanesum-graph search and sweep compile and run this program.
   A chain of dependent multiplications with a latency of three cycles measures the length of a
   cycle directly before and after each call. (A chain of additions would slow down when another
   thread runs on the same core.) If the two measurements differ, the call is timed again. Prints
   cycles per block for each kernel: the lower quartile of its timings, because the minimum of
   many depends on luck. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef LANES
typedef void kernel(void *state, uint64_t stride, const void *const messages[], uint64_t blocks);
#else
typedef void kernel(void *state, const void *words, uint64_t blocks, const void *table);
#endif
extern kernel *const kernels[];
extern const void *const tables[];
extern const int kernel_count, block_count;

enum { MOST = 128 };
/* 32 blocks of precomputed W_t + K_t, or 128 blocks of 64 bytes, or 64 of 128 bytes. */
static unsigned char words[32 * 640 + 64] __attribute__((aligned(64)));
static uint64_t state[8 * 16] __attribute__((aligned(64)));

static inline uint64_t ticks(void) {
  uint32_t low, high;
  __asm__ volatile("lfence\n\trdtsc\n\tlfence" : "=a"(low), "=d"(high)::"memory");
  return (uint64_t)high << 32 | low;
}

/* Messages overlap, at a distance that does not conflict in the cache. */
static void call(int k) {
#ifdef LANES
  static const void *messages[2 * 16];
  for (int lane = 0; lane < 16; lane++) messages[2 * lane] = words + 832 * lane;
  kernels[k](state, 16, messages, block_count);
#else
  kernels[k](state, words, block_count, tables[k]);
#endif
}

static uint64_t overhead;

static double cycle(void) {
  uint64_t x = 1, n = 80, from = ticks();
  __asm__ volatile("1: .rept 33\n\timul %0, %0\n\t.endr\n\tdec %1\n\tjnz 1b" : "+r"(x), "+r"(n));
  return (double)(ticks() - from - overhead) / (80 * 33 * 3);
}

static double samples[MOST][ROUNDS];
static int counts[MOST];

static int by_value(const void *x, const void *y) {
  double d = *(const double *)x - *(const double *)y;
  return (d > 0) - (d < 0);
}

int main(void) {
  for (int i = 0; i < (int)sizeof words; i++) words[i] = (unsigned char)(i * i + 3 * i);
  overhead = ~UINT64_C(0);
  for (int i = 0; i < 100; i++) {
    uint64_t from = ticks(), took = ticks() - from;
    if (took < overhead) overhead = took;
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int k = 0; k < kernel_count; k++) {
      call(k);
      for (int attempt = 0; attempt < 3; attempt++) {
        double before = cycle();
        uint64_t from = ticks();
        call(k);
        double took = (double)(ticks() - from - overhead);
        double after = cycle();
        double apart = before > after ? before - after : after - before;
        if (apart > 0.004 * before) continue;
        samples[k][counts[k]++] = took / ((before + after) / 2) / block_count;
        break;
      }
    }
  for (int k = 0; k < kernel_count; k++) {
    qsort(samples[k], counts[k], sizeof(double), by_value);
    printf("%.2f\n", counts[k] ? samples[k][counts[k] / 4] : 1e9);
  }
  return 0;
}
