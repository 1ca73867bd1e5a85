/* Helpers of the test programs. */
#include "holds.h"
#include <errno.h>
#include <lanesum.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program unless a call returns the expected status and leaves errno unchanged. */
#define IS(expected, call)                                                                   \
    do {                                                                                     \
        errno = 4711;                                                                        \
        int status_ = (call);                                                                \
        HOLDS(errno == 4711);                                                                \
        if (status_ != (expected)) {                                                         \
            fprintf(stderr, "%s:%d: %s: %d (%s), not %d\n", __FILE__, __LINE__, #call,       \
                    status_, lanesum_status_text(status_), (int)(expected));                  \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

/* Returns a policy with these kernels. It is never freed, but remains reachable for leak checkers. */
static inline const lanesum_policy *policy_of(const char *kernels) {
    static lanesum_policy *made[16];
    size_t i = 0;
    while (made[i] != NULL)
        HOLDS(++i < sizeof made / sizeof *made);
    IS(LANESUM_OK, lanesum_policy_new(kernels, 1, &made[i]));
    return made[i];
}

/* SHA-256 of "abc", an example of FIPS 180-4. */
static const unsigned char ABC[32] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
