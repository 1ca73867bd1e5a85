/* An example program for the emitted kernels: compresses "abc", padded manually, and a second
   block. lanesum.h lists the kernels as KERNELS. With MEMCHECK and under valgrind, the message is
   marked as undefined, so that valgrind reports any branch or address that depends on it. */
#ifdef NARROW
#include "narrow.h"
#else
#include <stdio.h>
#include <string.h>
#endif

#ifdef MEMCHECK
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, len)
#define VALGRIND_MAKE_MEM_DEFINED(at, len)
#endif

#include "lanesum.h"

#define RUN(name, bits, words, ...)                                     \
  do {                                                                  \
    uint##bits##_t state[words] = {__VA_ARGS__};                        \
    unsigned char data[bits * 2 * 2] = "abc\x80";                       \
    data[bits * 2 - 1] = 24;                                            \
    for (int i = 0; i < bits * 2; i++) data[bits * 2 + i] = (unsigned char)(7 * i); \
    VALGRIND_MAKE_MEM_UNDEFINED(data, sizeof data);                     \
    VALGRIND_MAKE_MEM_UNDEFINED(state, sizeof state);                   \
    lanesum_##name(state, data, 0);                                      \
    lanesum_##name(state, data, 1);                                      \
    VALGRIND_MAKE_MEM_DEFINED(state, sizeof state);                     \
    printf(#name);                                                      \
    for (int i = 0; i < words; i++) printf(" %0*llx", bits / 4, (unsigned long long)state[i]); \
    lanesum_##name(state, data, 2);                                      \
    VALGRIND_MAKE_MEM_DEFINED(state, sizeof state);                     \
    for (int i = 0; i < words; i++) printf(" %0*llx", bits / 4, (unsigned long long)state[i]); \
    printf("\n");                                                       \
  } while (0)

#define IV1 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0
#define IV256 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
#define IV512 0x6a09e667f3bcc908, 0xbb67ae8584caa73b, 0x3c6ef372fe94f82b, 0xa54ff53a5f1d36f1, \
              0x510e527fade682d1, 0x9b05688c2b3e6c1f, 0x1f83d9abfb41bd6b, 0x5be0cd19137e2179

int main(void) {
  KERNELS
  return 0;
}
