/* <sha1dc/sha1.h> of libsha1detectcoll: SHA-1 that detects blocks of collision attacks, for
   programs written for sha1collisiondetection 1.0.3. `make install` puts the header and the library
   in directories that compilers and linkers do not search:

       cc -I/usr/local/include/lanesum sum.c -L/usr/local/lib/lanesum -lsha1detectcoll \
          -Wl,-rpath,/usr/local/lib/lanesum

   A context may be copied by assignment at any time, and reused after SHA1DCInit. */
#ifndef SHA1DC_SHA1_H
#define SHA1DC_SHA1_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Receives a block of a collision: its offset in the message; the chaining values before it and
   before the block that collides with it (5 words each); the schedules of both (80 words each). */
typedef void (*collision_block_callback)(uint64_t offset, const uint32_t *ihv1, const uint32_t *ihv2,
                                         const uint32_t *m1, const uint32_t *m2);

/* Size, alignment and fields are those of the original. */
typedef struct {
    uint64_t total; /* the length of the message so far, in bytes */
    uint32_t ihv[5];
    unsigned char buffer[64];
    int found_collision; /* not 0 if a collision was found so far */
    int safe_hash;
    int detect_coll;
    int ubc_check;
    int reduced_round_coll;
    collision_block_callback callback;

    /* Not used. */
    uint32_t ihv1[5];
    uint32_t ihv2[5];
    uint32_t m1[80];
    uint32_t m2[80];
    uint32_t states[80][5];
} SHA1_CTX;

/* Begins a message, with the default settings. */
void SHA1DCInit(SHA1_CTX *context);

/* Appends `len` bytes to the message. */
void SHA1DCUpdate(SHA1_CTX *context, const char *data, size_t len);

/* Writes the digest. Returns 0 if no collision was found, otherwise another number. */
int SHA1DCFinal(unsigned char digest[20], SHA1_CTX *context);

/* Whether the two messages of a collision get different digests. On by default. */
void SHA1DCSetSafeHash(SHA1_CTX *context, int on);

/* Whether collisions are detected. On by default. */
void SHA1DCSetUseDetectColl(SHA1_CTX *context, int on);

/* Whether only blocks that fulfill the conditions of an attack are checked with it. On by default.
   Turning it off changes no result, and takes many times as long. */
void SHA1DCSetUseUBC(SHA1_CTX *context, int on);

/* Whether collisions of SHA-1 with fewer rounds are detected, too. Off by default. */
void SHA1DCSetDetectReducedRoundCollision(SHA1_CTX *context, int on);

/* Sets a function to call for each block of a collision, before SHA1DCUpdate or SHA1DCFinal returns.
   NULL, the default, calls none. */
void SHA1DCSetCallback(SHA1_CTX *context, collision_block_callback callback);

#ifdef __cplusplus
}
#endif

#endif
