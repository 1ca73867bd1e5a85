/* The functions of FIPS 180-4, written from the standard and independent of the rest of this tree. Each takes a
 * chaining value in native words and a block of bytes. Call `constants` first. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint64_t rotr64(uint64_t x, int n) { return x >> n | x << (64 - n); }

static uint64_t big_endian(const unsigned char *p, int len) {
    uint64_t word = 0;
    for (int i = 0; i < len; i++) word = word << 8 | p[i];
    return word;
}

/* The first bits of the fractional parts of cube roots of primes, by integer arithmetic (FIPS 180-4, 4.2). */
static uint64_t K[80];
static void constants(void) {
    int n = 0;
    for (unsigned p = 2; n < 80; p++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (!prime) continue;
        /* The greatest r with r^3 <= p 2^192; its lowest 64 bits are the first bits of the fraction. */
        unsigned __int128 r = 0;
        for (int bit = 66; bit >= 0; bit--) {
            unsigned __int128 t = r | (unsigned __int128)1 << bit;
            /* Compare t^3 >> 128 with p << 64, in three 64-bit words. */
            uint64_t a[2] = {(uint64_t)t, (uint64_t)(t >> 64)}, square[4] = {0}, cube[6] = {0};
            for (int i = 0; i < 2; i++) {
                unsigned __int128 carry = 0;
                for (int j = 0; j < 2; j++) {
                    carry += (unsigned __int128)a[i] * a[j] + square[i + j];
                    square[i + j] = (uint64_t)carry;
                    carry >>= 64;
                }
                square[i + 2] = (uint64_t)carry;
            }
            for (int i = 0; i < 4; i++) {
                unsigned __int128 carry = 0;
                for (int j = 0; j < 2; j++) {
                    carry += (unsigned __int128)square[i] * a[j] + cube[i + j];
                    cube[i + j] = (uint64_t)carry;
                    carry >>= 64;
                }
                cube[i + 2] = (uint64_t)carry;
            }
            int below = cube[5] == 0 && cube[4] == 0 &&
                        (cube[3] < p || (cube[3] == p && !cube[2] && !cube[1] && !cube[0]));
            if (below) r = t;
        }
        K[n++] = (uint64_t)r;
    }
}

static void sha1(void *state, const unsigned char *block) {
    uint32_t w[80], *h = state, v[5];
    for (int t = 0; t < 16; t++) w[t] = (uint32_t)big_endian(block + 4 * t, 4);
    for (int t = 16; t < 80; t++) w[t] = rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 80; t++) {
        uint32_t b = v[1], c = v[2], d = v[3], f, k;
        if (t < 20) f = (b & c) | (~b & d), k = 0x5a827999;
        else if (t < 40) f = b ^ c ^ d, k = 0x6ed9eba1;
        else if (t < 60) f = (b & c) | (b & d) | (c & d), k = 0x8f1bbcdc;
        else f = b ^ c ^ d, k = 0xca62c1d6;
        uint32_t sum = rotl(v[0], 5) + f + v[4] + k + w[t];
        v[4] = d, v[3] = c, v[2] = rotl(b, 30), v[1] = v[0], v[0] = sum;
    }
    for (int i = 0; i < 5; i++) h[i] += v[i];
}

static void sha256(void *state, const unsigned char *block) {
    uint32_t w[64], *h = state, v[8];
    for (int t = 0; t < 64; t++)
        if (t < 16) w[t] = (uint32_t)big_endian(block + 4 * t, 4);
        else {
            uint32_t x = w[t - 15], y = w[t - 2];
            w[t] = (rotr(y, 17) ^ rotr(y, 19) ^ y >> 10) + w[t - 7] +
                   (rotr(x, 7) ^ rotr(x, 18) ^ x >> 3) + w[t - 16];
        }
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t a = v[0], e = v[4];
        uint32_t one = v[7] + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & v[5]) ^ (~e & v[6])) +
                       (uint32_t)(K[t] >> 32) + w[t];
        uint32_t two = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one, v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

static void sha512(void *state, const unsigned char *block) {
    uint64_t w[80], *h = state, v[8];
    for (int t = 0; t < 80; t++)
        if (t < 16) w[t] = big_endian(block + 8 * t, 8);
        else {
            uint64_t x = w[t - 15], y = w[t - 2];
            w[t] = (rotr64(y, 19) ^ rotr64(y, 61) ^ y >> 6) + w[t - 7] +
                   (rotr64(x, 1) ^ rotr64(x, 8) ^ x >> 7) + w[t - 16];
        }
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 80; t++) {
        uint64_t a = v[0], e = v[4];
        uint64_t one = v[7] + (rotr64(e, 14) ^ rotr64(e, 18) ^ rotr64(e, 41)) +
                       ((e & v[5]) ^ (~e & v[6])) + K[t] + w[t];
        uint64_t two = (rotr64(a, 28) ^ rotr64(a, 34) ^ rotr64(a, 39)) +
                       ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one, v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
}

typedef void (*compression)(void *state, const unsigned char *block);

/* The function for family 1, 256 or 512: SHA-1, SHA-256 or SHA-512. */
static compression of_family(unsigned long family) {
    return family == 1 ? sha1 : family == 256 ? sha256 : sha512;
}
