/* Clock and core probes for programs that time calls. */
#ifndef PROBE_H
#define PROBE_H
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

/* A probe of the core: clock ticks per cycle, measured with dependent multiplications of three
   cycles each (another thread on the core would make a chain of additions longer), and independent
   moves per cycle. benches/src/clock.rs measures the same. */
struct probe { double ticks, width; };

static struct probe probe(void) {
    /* Some libraries leave the upper halves of vector registers dirty, which slows down subsequent
       SSE code by up to a third. */
    if (__builtin_cpu_supports("avx")) __asm__ volatile("vzeroupper");
    double chain = 1e18, moves;
    unsigned long n, begin;
    for (int i = 0; i < 3; i++) {
        n = 200, begin = __rdtsc();
        __asm__ volatile("1: .rept 33\n imul %0, %%rax\n .endr\n dec %0\n jnz 1b" : "+r"(n)::"rax", "cc");
        double ticks = (double)(__rdtsc() - begin);
        if (ticks < chain) chain = ticks;
    }
    n = 200, begin = __rdtsc();
    __asm__ volatile("1: .rept 25\n mov %0, %%rax\n mov %0, %%rcx\n mov %0, %%rdx\n mov %0, %%rsi\n .endr\n"
                     "dec %0\n jnz 1b" : "+r"(n)::"rax", "rcx", "rdx", "rsi", "cc");
    moves = (double)(__rdtsc() - begin);
    return (struct probe){chain / (200 * 33 * 3), chain / (33 * 3) * 100 / moves};
}

/* The length of a tick of the time-stamp counter, in ns. */
static double tick_ns(void) {
    struct timespec t0, t1;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    unsigned long begin = __rdtsc();
    do clock_gettime(CLOCK_MONOTONIC, &t1);
    while ((t1.tv_sec - t0.tv_sec) * 1e9 + t1.tv_nsec - t0.tv_nsec < 5e7);
    return ((t1.tv_sec - t0.tv_sec) * 1e9 + t1.tv_nsec - t0.tv_nsec) / (double)(__rdtsc() - begin);
}

/* The last columns of a sample: clock and width before and after. */
static void print_core(struct probe first, struct probe last, double tick) {
    printf(",%.4f,%.3f,%.4f,%.3f\n", 1 / (first.ticks * tick), first.width, 1 / (last.ticks * tick), last.width);
}
#endif
