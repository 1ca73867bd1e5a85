/* Like ../c/holds.h, but also prints OpenSSL's error queue. */
#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>

#define HOLDS(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #condition);              \
            ERR_print_errors_fp(stderr);                                                     \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)
