/* Runs accepted attacks.
 *
 *   attack text LIBRARY FAMILY    compresses with its function lanesum_text, and compares with the
 *                                 functions below: 1, 256 or 512
 *   attack file LIBRARY MEMSET    loads it, prints "loaded" and a hash of the memory that the input names:
 *                                 each line has an address and a length, or 0 for a pointer.
 *                                 MEMSET is the address of a pointer to memset
 *
 * An empty slice may have any pointer but NULL. */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "fips.h"

enum { MOST = 4100, PAGE = 4096 };

static int text(void *library, int family) {
    void (*tried)(void *, const unsigned char *, size_t) =
        (void (*)(void *, const unsigned char *, size_t))dlsym(library, "lanesum_text");
    if (!tried) return 3;
    constants();
    compression right = of_family((unsigned long)family);
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
            if (!n) blocks = high ? (const unsigned char *)-1 : (const unsigned char *)1;
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
    fflush(stdout);
    /* The library's destructors call no kernel. */
    _exit(0);
}

int main(int argc, char **argv) {
    struct rlimit seconds = {10, 10}, none = {0, 0};
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    if (argc != 4) return 3;
    int is_text = argv[1][0] == 't';
    /* As late as a library may bind: the loader prepares for that. */
    void *library = dlopen(argv[2], is_text ? RTLD_NOW : RTLD_LAZY);
    if (!library) return 4;
    if (!is_text) puts("loaded"), fflush(stdout);
    return is_text ? text(library, atoi(argv[3])) : file(library, strtoul(argv[3], NULL, 16));
}
