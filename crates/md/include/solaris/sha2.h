/* Solaris's <sha2.h>, for programs written for its libmd. Put this directory first in the
   include path, and link with Lanesum's libmd.so.0. `make install` puts it in a directory
   that linkers do not search, because systems have another libmd:

       cc -I/usr/local/include/lanesum/solaris sum.c /usr/local/lib/lanesum/libmd.so.0 \
          -Wl,-rpath,/usr/local/lib/lanesum

   A context is 216 bytes, aligned to 8, as on Solaris. It may be copied. Calls with one
   that was not begun, or is finished, do nothing. */
#ifndef LANESUM_SOLARIS_SHA2_H
#define LANESUM_SOLARIS_SHA2_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BLOCK_LENGTH 64
#define SHA256_DIGEST_LENGTH 32
#define SHA384_BLOCK_LENGTH 128
#define SHA384_DIGEST_LENGTH 48
#define SHA512_BLOCK_LENGTH 128
#define SHA512_DIGEST_LENGTH 64
#define SHA512_224_DIGEST_LENGTH 28
#define SHA512_256_DIGEST_LENGTH 32

/* Mechanisms for SHA2Init. */
#define SHA256 0
#define SHA256_HMAC 1
#define SHA256_HMAC_GEN 2
#define SHA384 3
#define SHA384_HMAC 4
#define SHA384_HMAC_GEN 5
#define SHA512 6
#define SHA512_HMAC 7
#define SHA512_HMAC_GEN 8
#define SHA512_224 9
#define SHA512_256 10

typedef struct {
    uint64_t state[8];
    uint64_t bitcount[2];
    uint8_t buffer[128];
    uint32_t mechanism[2];
} SHA2_CTX;
typedef SHA2_CTX SHA256_CTX;
typedef SHA2_CTX SHA384_CTX;
typedef SHA2_CTX SHA512_CTX;

#ifdef __cplusplus
extern "C" {
#endif

extern void SHA2Init(uint64_t mechanism, SHA2_CTX *context);
extern void SHA2Update(SHA2_CTX *context, const void *data, size_t len);
extern void SHA2Final(void *digest, SHA2_CTX *context);

#ifdef __cplusplus
}
#endif

/* The forms of one size go through those above, and may be mixed with them. */
#define SHA256Init(context) SHA2Init(SHA256, (context))
#define SHA256Update(context, data, len) SHA2Update((context), (data), (len))
#define SHA256Final(digest, context) SHA2Final((digest), (context))
#define SHA384Init(context) SHA2Init(SHA384, (context))
#define SHA384Update(context, data, len) SHA2Update((context), (data), (len))
#define SHA384Final(digest, context) SHA2Final((digest), (context))
#define SHA512Init(context) SHA2Init(SHA512, (context))
#define SHA512Update(context, data, len) SHA2Update((context), (data), (len))
#define SHA512Final(digest, context) SHA2Final((digest), (context))

#endif
