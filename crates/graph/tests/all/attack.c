/* Runs what the prover has accepted.
 *
 *   attack text LIBRARY FAMILY    compresses with its function lanesum_text, and compares with the
 *                                 functions below: 1, 256 or 512
 *   attack file LIBRARY MEMSET    loads it and prints what is in memory where the input says: lines of an
 *                                 address and a length, or of an address and 0 for a pointer. MEMSET is
 *                                 the address of a pointer to memset
 *
 * The functions are written from FIPS 180-4, and share nothing with the rest of this tree. */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static uint32_t rotl(uint32_t x, int n) { return x << n | x >> (32 - n); }
static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }
static uint64_t rotr64(uint64_t x, int n) { return x >> n | x << (64 - n); }

static uint64_t big_endian(const unsigned char *p, int len) {
    uint64_t word = 0;
    for (int i = 0; i < len; i++) word = word << 8 | p[i];
    return word;
}

/* The first bits of the fractional parts of cube roots of primes, by integers alone (FIPS 180-4, 4.2). */
static uint64_t K[80];
static void constants(void) {
    int n = 0;
    for (unsigned p = 2; n < 80; p++) {
        int prime = 1;
        for (unsigned d = 2; d * d <= p; d++) prime &= p % d != 0;
        if (!prime) continue;
        /* The greatest r with r^3 <= p 2^192: its lowest 64 bits are the fraction's first. */
        unsigned __int128 r = 0;
        for (int bit = 66; bit >= 0; bit--) {
            unsigned __int128 t = r | (unsigned __int128)1 << bit;
            /* t^3 >> 128 against p << 64, in three words of 64 bits. */
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

enum { MOST = 4100, PAGE = 4096 };

static int text(void *library, int family) {
    void (*tried)(void *, const unsigned char *, size_t) =
        (void (*)(void *, const unsigned char *, size_t))dlsym(library, "lanesum_text");
    if (!tried) return 3;
    constants();
    void (*right)(void *, const unsigned char *) = family == 1 ? sha1 : family == 256 ? sha256 : sha512;
    size_t block = family == 512 ? 128 : 64, len = family == 1 ? 20 : block / 2;
    size_t room = (MOST * block + PAGE - 1) / PAGE * PAGE;
    /* The last page of each is out of reach. */
    unsigned char *all = mmap(NULL, room + PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned char *states = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || states == MAP_FAILED) return 3;
    if (mprotect(all + room, PAGE, PROT_NONE) || mprotect(states + PAGE, PAGE, PROT_NONE)) return 3;
    uint64_t seed = 1;
    for (size_t i = 0; i < room; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        all[i] = (unsigned char)(seed >> 56);
    }
    for (size_t n = 0; n <= MOST; n = n < 70 ? n + 1 : n < 998 ? 998 : n < 1002 ? n + 1 : n < 4095 ? 4095 : n + 1)
        for (int high = 0; high < 2; high++) {
            const unsigned char *blocks = high ? all + room - n * block : all + n % 16;
            unsigned char *state = high ? states + PAGE - len : states + 8 * (n % 4), wanted[64];
            if (!high && n * block + 16 > room) continue;
            memcpy(wanted, all, len);
            memset(states, 0x5a, PAGE);
            memcpy(state, all, len);
            for (size_t i = 0; i < n; i++) right(wanted, blocks + i * block);
            tried(state, blocks, n);
            if (memcmp(state, wanted, len)) return 2;
            memset(state, 0x5a, len);
            for (size_t i = 0; i < PAGE; i++)
                if (states[i] != 0x5a) return 2;
        }
    return 0;
}

static int file(void *library, uintptr_t memset_at) {
    struct link_map *map;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map)) return 3;
    unsigned long at, len;
    uint64_t hash = 0xcbf29ce484222325;
    while (scanf("%lx %lx", &at, &len) == 2) {
        const unsigned char *place = (const unsigned char *)(map->l_addr + at);
        uint64_t pointer;
        memcpy(&pointer, place, 8);
        pointer -= map->l_addr;
        if (!len) place = (const unsigned char *)&pointer, len = 8;
        for (size_t i = 0; i < len; i++) hash = (hash ^ place[i]) * 0x100000001b3;
    }
    void *found;
    memcpy(&found, (void *)(map->l_addr + memset_at), 8);
    char *(*volatile fill)(char *, int, size_t) = (char *(*)(char *, int, size_t))found;
    char bytes[64] = {0};
    int fills = memset_at == 0 || (fill(bytes + 1, 7, 62) == bytes + 1 && !bytes[0] && !bytes[63]);
    for (int i = 1; memset_at && i < 63; i++) fills &= bytes[i] == 7;
    printf("%016llx %s\n", (unsigned long long)hash, fills ? "fills" : "does not fill");
    return 0;
}

int main(int argc, char **argv) {
    struct rlimit seconds = {10, 10}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    if (argc != 4) return 3;
    void *library = dlopen(argv[2], RTLD_NOW);
    if (!library) return 4;
    return argv[1][0] == 't' ? text(library, atoi(argv[3])) : file(library, strtoul(argv[3], NULL, 16));
}
