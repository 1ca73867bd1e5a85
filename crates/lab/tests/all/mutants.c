/* Reports whether changed machine code is still the same function.
 *
 * The first argument is a library. Each line of the input is a function and changes of code, all in
 * hexadecimal: its address, its task, the bytes of a word, the words of a chaining value, the lanes,
 * whether words are big-endian, the family (1, 256 or 512: the results are also compared with the
 * functions of fips.h; 0: they are not), the number of changes, and of each its address and bytes. The
 * answer is a line: "same", or how it differs. A child process tries each, so that it may run wild. */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fips.h"

enum { PAGE = 4096, BLOCKS = 70, MOST_LANES = 32, DATA = 3 * PAGE, STATE = 2 * PAGE };
enum { OUT = PAGE, LEFT = 2 * STATE + OUT };
/* The tasks of kernel functions. */
enum { COMPRESS, FINISH, WRITE, ITERATE, TRACED, SCREEN, APART, READ, DIGEST_BLOCKS };
/* The bytes of the last words of a schedule, of a difference between schedules, of the structure with the blocks to check, of the results, and of the
 * trace of a block. */
enum { LAST_WORDS = 4 * 36, DIFFERENCE = 4 * 80, PAIRS = (2 * 16 + 11 * 4) * MOST_LANES, RESULTS = 2 * 4 * MOST_LANES, TRACE = 4 * 45 };

struct slice { const unsigned char *data; size_t len; };

/* Calls a function with nine arguments and the stack shifted by `moved` bytes. Returns whether it restored the
 * caller's registers. */
int call(void *function, const uint64_t *arguments, uint64_t moved);
extern uint64_t returned;
__asm__(".intel_syntax noprefix\n"
        ".text\n.globl call\n.type call, @function\n"
        "call:\n"
        "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\npush rax\n"
        "mov [rip + before], rsp\n"
        "sub rsp, rdx\nsub rsp, 32\n"
        "mov [rip + moved], rsp\n"
        "mov rax, rdi\nmov r10, rsi\n"
        "mov rdi, [r10]\nmov rsi, [r10 + 8]\nmov rdx, [r10 + 16]\n"
        "mov r11, [r10 + 48]\nmov [rsp], r11\nmov r11, [r10 + 56]\nmov [rsp + 8], r11\n"
        "mov r11, [r10 + 64]\nmov [rsp + 16], r11\n"
        "mov rcx, [r10 + 24]\nmov r8, [r10 + 32]\nmov r9, [r10 + 40]\n"
        "movabs rbx, 0x1b1b1b1b1b1b1b1b\nmovabs rbp, 0x2b2b2b2b2b2b2b2b\n"
        "movabs r12, 0x3b3b3b3b3b3b3b3b\nmovabs r13, 0x4b4b4b4b4b4b4b4b\n"
        "movabs r14, 0x5b5b5b5b5b5b5b5b\nmovabs r15, 0x6b6b6b6b6b6b6b6b\n"
        "call rax\n"
        "mov [rip + returned], rax\n"
        "pushfq\npop rax\ncld\nshr rax, 10\nand eax, 1\n"
        "xor rsp, [rip + moved]\nor rax, rsp\n"
        "mov rsp, [rip + before]\n"
        "movabs rcx, 0x1b1b1b1b1b1b1b1b\nxor rcx, rbx\nor rax, rcx\n"
        "movabs rcx, 0x2b2b2b2b2b2b2b2b\nxor rcx, rbp\nor rax, rcx\n"
        "movabs rcx, 0x3b3b3b3b3b3b3b3b\nxor rcx, r12\nor rax, rcx\n"
        "movabs rcx, 0x4b4b4b4b4b4b4b4b\nxor rcx, r13\nor rax, rcx\n"
        "movabs rcx, 0x5b5b5b5b5b5b5b5b\nxor rcx, r14\nor rax, rcx\n"
        "movabs rcx, 0x6b6b6b6b6b6b6b6b\nxor rcx, r15\nor rax, rcx\n"
        "neg rax\nsbb eax, eax\ninc eax\n"
        "pop rcx\npop r15\npop r14\npop r13\npop r12\npop rbp\npop rbx\nret\n"
        ".bss\n.balign 8\nbefore: .skip 8\nmoved: .skip 8\n.globl returned\nreturned: .skip 8\n.text\n"
        ".att_syntax prefix\n");

/* `len` bytes between inaccessible guard pages. */
static unsigned char *guarded(size_t len) {
    unsigned char *all = mmap(NULL, len + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, len, PROT_READ | PROT_WRITE)) exit(3);
    return all + PAGE;
}

static uint64_t seed;
static unsigned char random_byte(void) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned char)(seed >> 56);
}

static unsigned char *lanes_data[MOST_LANES], *state, *sum, *out, *fixed;
static struct slice *slices;

struct kernel { void *function; size_t task, word_len, words, lanes, big_endian, family; };
struct change { unsigned char *at; unsigned char bytes[512]; size_t len; };

/* The message length of a lane. */
static size_t length(const struct kernel *k, size_t n, size_t lane) {
    size_t block = 16 * k->word_len;
    if (k->task == APART || (k->task == DIGEST_BLOCKS && n % 4 / 2)) return block;
    /* Short enough for the padding. */
    if (k->task == DIGEST_BLOCKS) return (n * 13 + lane * 7 + n * lane) % (block - 2 * k->word_len);
    if (k->task == COMPRESS || k->task == TRACED || k->task == SCREEN) return n * block;
    /* A single message: every position of its end within a block. */
    if (k->lanes == 1) return n * (block + 3) % (4 * block);
    /* Several messages: equal or different lengths. */
    return n % 3 ? (n * 37 + lane * lane * 29 + lane * n * 11) % (4 * block) : n * 7 % (3 * block);
}

/* Fills guarded pages with random bytes. Returns `len` bytes at their end or at their beginning. */
static unsigned char *filled(unsigned char *all, size_t pages, size_t len, int high) {
    mprotect(all, pages, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < pages; i++) all[i] = random_byte();
    return all + (high ? pages - len : 0);
}

static void put(unsigned char *to, size_t word_len, uint64_t word) { memcpy(to, &word, word_len); }

/* The padding after a full-length digest, and the masks of its words. */
static unsigned char *link_of(const struct kernel *k, unsigned char *to) {
    size_t w = k->word_len;
    memset(to, 0, 24 * w);
    put(to + k->words * w, w, k->big_endian ? (uint64_t)0x80 << (8 * w - 8) : 0x80);
    put(to + (k->big_endian ? 15 : 14) * w, w, 8 * (16 * w + k->words * w));
    memset(to + 16 * w, 0xff, k->words * w);
    return to;
}

/* Gathers the words of one lane from interleaved lanes. */
static void gather(const struct kernel *k, const unsigned char *from, size_t stride, size_t lane, unsigned char *to) {
    size_t w = k->word_len;
    for (size_t i = 0; i < k->words; i++) memcpy(to + i * w, from + (i * stride + lane) * w, w);
}

/* Stores a word in the byte order of FIPS 180-4. */
static void append(unsigned char *to, size_t word_len, uint64_t word) {
    for (size_t i = 0; i < word_len; i++) to[i] = (unsigned char)(word >> (8 * (word_len - 1 - i)));
}

static uint64_t word_at(const unsigned char *from, size_t word_len) {
    uint64_t word = 0;
    memcpy(&word, from, word_len);
    return word;
}

/* Pads the message of a lane and compresses it into `value`. */
static void finish(const struct kernel *k, unsigned char *value, struct slice message, uint64_t before) {
    size_t w = k->word_len, block = 16 * w, rest = message.len % block, whole = message.len - rest;
    for (size_t at = 0; at < whole; at += block) of_family(k->family)(value, message.data + at);
    unsigned char last[256] = {0};
    memcpy(last, message.data + whole, rest);
    last[rest] = 0x80;
    size_t len = rest + 1 + 2 * w <= block ? block : 2 * block;
    uint64_t bytes = before + message.len;
    append(last + len - w, w, bytes << 3);
    append(last + len - 2 * w, w, w == 4 ? bytes >> 29 : bytes >> 61);
    for (size_t at = 0; at < len; at += block) of_family(k->family)(value, last + at);
}

/* The loop of PBKDF2 (RFC 8018, 5.2): iterated HMAC, and the xor of all results. */
static void iterate(const struct kernel *k, const uint64_t *arguments, size_t lane, unsigned char *value,
                    unsigned char *added) {
    size_t w = k->word_len, stride = arguments[6];
    const struct slice *chains = (const struct slice *)arguments[0];
    const unsigned char *pad = (const unsigned char *)arguments[1], *mask = pad + 16 * w;
    for (uint32_t i = 0; i < (uint32_t)arguments[8]; i++) {
        for (size_t half = i ? 0 : arguments[7]; half < 2; half++) {
            unsigned char block[128], chain[64];
            for (size_t t = 0; t < 16; t++) {
                uint64_t word = word_at(pad + t * w, w);
                if (t < k->words) word += word_at(value + t * w, w) & word_at(mask + t * w, w);
                append(block + t * w, w, word);
            }
            gather(k, chains[half].data, stride, lane, chain);
            of_family(k->family)(chain, block);
            memcpy(value, chain, k->words * w);
        }
        for (size_t j = 0; j < k->words * w; j++) added[j] ^= value[j];
    }
}

/* The distance of the digests. */
static size_t row_len(const struct kernel *k) { return k->task == DIGEST_BLOCKS ? k->words * k->word_len : 64; }

/* Compares every lane with the standards, from the chaining values and sums before a call. */
static int is_right(const struct kernel *k, size_t n, const uint64_t *arguments, const unsigned char *words,
                    const unsigned char *old, const unsigned char *sums, const unsigned char *old_sums) {
    size_t w = k->word_len, len = k->words * w, stride = arguments[k->task == ITERATE ? 6 : 2];
    for (size_t l = 0; l < k->lanes; l++) {
        unsigned char value[64], found[64], added[64];
        gather(k, old, stride, l, value);
        gather(k, old_sums, stride, l, added);
        for (size_t i = 0; k->task == COMPRESS && i < n; i++)
            of_family(k->family)(value, slices[l].data + 16 * w * i);
        if (k->task == FINISH) finish(k, value, slices[l], arguments[5]);
        if (k->task == ITERATE) iterate(k, arguments, l, value, added);
        gather(k, words, stride, l, found);
        if (memcmp(found, value, len)) return 0;
        gather(k, sums, stride, l, found);
        if (memcmp(found, added, len)) return 0;
        const unsigned char *digest = (const unsigned char *)arguments[k->task == WRITE ? 3 : 5] + row_len(k) * l;
        /* Without a padding block, the digest is that of a whole message. */
        int digests = k->task == DIGEST_BLOCKS && !arguments[4];
        if (digests) {
            memcpy(value, (const void *)arguments[0], len);
            finish(k, value, slices[l], arguments[3]);
        }
        for (size_t i = 0; (k->task == WRITE || digests) && i < k->words; i++) {
            append(found, w, word_at(value + i * w, w));
            if (memcmp(digest + i * w, found, w)) return 0;
        }
    }
    return 1;
}

/* Calls the function and copies its memory to `left`. Returns 1 on success, 0 if it does not restore the caller's
 * registers, or -1 if its result differs from the standard. */
static int run(const struct kernel *k, size_t n, size_t stride, unsigned char *left) {
    size_t count = (k->words - 1) * stride + k->lanes, len = count * k->word_len;
    if (k->task == TRACED) n %= STATE / TRACE;
    /* Adjacent to the guard page before or after. */
    int high = n % 2 == 0;
    seed = 1 + n + 1000 * stride;
    unsigned char *words = filled(state, STATE, len, high);
    uint64_t arguments[9] = {(uint64_t)words, count, stride};
    if (k->task != WRITE && k->task != ITERATE) {
        mprotect(slices, PAGE, PROT_READ | PROT_WRITE);
        for (size_t l = 0; l < k->lanes; l++) {
            size_t bytes = length(k, n, l);
            unsigned char *data = lanes_data[l] + (high ? DATA - bytes : 0);
            mprotect(lanes_data[l], DATA, PROT_READ | PROT_WRITE);
            for (size_t i = 0; i < bytes; i++) data[i] = random_byte();
            mprotect(lanes_data[l], DATA, PROT_READ);
            slices[l] = (struct slice){data, bytes};
        }
        mprotect(slices, PAGE, PROT_READ);
        arguments[3] = (uint64_t)slices;
        arguments[4] = k->lanes;
        arguments[5] = k->task == COMPRESS ? n : (n << 33) * 16 * k->word_len;
    }
    unsigned char *digests = filled(out, OUT, row_len(k) * k->lanes, high);
    unsigned char before[OUT];
    memcpy(before, out, OUT);
    if (k->task == WRITE) {
        mprotect(state, STATE, PROT_READ);
        arguments[3] = (uint64_t)digests;
        arguments[4] = k->lanes;
    }
    /* A word per lane and block, one or two per lane, or a trace per block, in place of sums. */
    size_t sums_len = k->task == SCREEN ? 4 * n * k->lanes
                      : k->task == READ ? 4
                      : k->task == APART ? RESULTS
                      : k->task == TRACED ? TRACE * n
                                          : len;
    unsigned char *sums = filled(sum, STATE, sums_len, high);
    if (k->task == TRACED) {
        uint64_t all[7] = {(uint64_t)words, count, (uint64_t)slices[0].data, slices[0].len, n, (uint64_t)sums, n};
        memcpy(arguments, all, sizeof all);
    }
    if (k->task == READ) {
        /* Words of equal bits fulfill many conditions. */
        unsigned char *last = filled(fixed, 2 * STATE, LAST_WORDS, high);
        for (size_t i = 0; n % 4 && i < LAST_WORDS; i += 4) memset(last + i, random_byte() & 1 ? 0xff : 0, 4);
        mprotect(fixed, 2 * STATE, PROT_READ);
        arguments[0] = (uint64_t)last;
        arguments[1] = seed;
    }
    if (k->task == DIGEST_BLOCKS) {
        unsigned char *iv = filled(state, STATE, k->words * k->word_len, high);
        /* A word of SHA-2 for each round. */
        size_t expanded = k->word_len * (k->word_len == 4 ? 64 : 80);
        unsigned char *padding_block = filled(fixed, 2 * STATE, expanded, high);
        mprotect(state, STATE, PROT_READ);
        mprotect(fixed, 2 * STATE, PROT_READ);
        uint64_t all[7] = {(uint64_t)iv, (uint64_t)slices, k->lanes, n % 5 * 16 * k->word_len,
                           n % 4 / 2 ? (uint64_t)padding_block : 0, (uint64_t)digests, k->lanes};
        memcpy(arguments, all, sizeof all);
    }
    if (k->task == SCREEN) {
        uint64_t all[5] = {(uint64_t)slices, k->lanes, n, (uint64_t)sums, n * k->lanes};
        memcpy(arguments, all, sizeof all);
    }
    if (k->task == APART) {
        struct slice *pairs = (struct slice *)filled(fixed, 2 * STATE, PAIRS, high);
        for (size_t l = 0; l < k->lanes; l++) {
            unsigned char *difference = lanes_data[l] + (high ? 0 : DATA - DIFFERENCE);
            mprotect(lanes_data[l], DATA, PROT_READ | PROT_WRITE);
            for (size_t i = 0; i < DIFFERENCE; i++) difference[i] = random_byte();
            mprotect(lanes_data[l], DATA, PROT_READ);
            pairs[l] = slices[l];
            pairs[MOST_LANES + l] = (struct slice){difference, DIFFERENCE};
        }
        mprotect(fixed, 2 * STATE, PROT_READ);
        arguments[0] = (uint64_t)pairs;
        arguments[1] = (uint64_t)sums;
    }
    if (k->task == ITERATE) {
        unsigned char *inner = filled(fixed, 2 * STATE, 2 * len + 24 * k->word_len, high);
        unsigned char *outer = inner + len, *last = link_of(k, outer + len);
        mprotect(fixed, 2 * STATE, PROT_READ);
        mprotect(slices, PAGE, PROT_READ | PROT_WRITE);
        slices[0] = (struct slice){inner, count};
        slices[1] = (struct slice){outer, count};
        mprotect(slices, PAGE, PROT_READ);
        uint64_t all[9] = {(uint64_t)slices, (uint64_t)last, (uint64_t)words, count, (uint64_t)sums,
                           count, stride, n % 2, (uint64_t)random_byte() << 40 | n / 2 % 9};
        memcpy(arguments, all, sizeof all);
    }
    static unsigned char old[STATE], old_sums[STATE];
    memcpy(old, state, STATE);
    memcpy(old_sums, sum, STATE);
    int kept = call(k->function, arguments, 16 * (n % 4));
    if (k->task == READ) memcpy(sums, &returned, 4);
    if (kept && k->family && !is_right(k, n, arguments, words, old + (words - state), sums, old_sums + (sums - sum)))
        kept = -1;
    /* The bytes after a digest may be zeros, or unchanged. */
    for (size_t l = 0; k->task == WRITE && l < k->lanes; l++)
        for (size_t i = k->words * k->word_len; i < 64; i++) {
            size_t at = (size_t)(digests - out) + 64 * l + i;
            if (out[at] == before[at]) out[at] = 0;
        }
    memcpy(left, state, STATE);
    memcpy(left + STATE, sum, STATE);
    memcpy(left + 2 * STATE, out, OUT);
    return kept;
}

static unsigned char expected[2][BLOCKS + 1][LEFT];

/* Runs in a child process: reports whether the function is equivalent after the change. */
static int differs(const struct kernel *k, const struct change *changes, size_t count) {
    struct rlimit seconds = {5, 5};
    setrlimit(RLIMIT_CPU, &seconds);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int s = 0; s < 2; s++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++)
            if (run(k, blocks, k->lanes + 3 * s, expected[s][blocks]) != 1) return 4;
    for (const struct change *c = changes; c < changes + count; c++) {
        uintptr_t from = (uintptr_t)c->at & -(uintptr_t)PAGE;
        uintptr_t to = ((uintptr_t)c->at + c->len + PAGE) & -(uintptr_t)PAGE;
        if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC)) return 5;
        memcpy(c->at, c->bytes, c->len);
    }
    static unsigned char left[LEFT];
    for (int s = 0; s < 2; s++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
            int ran = run(k, blocks, k->lanes + 3 * s, left);
            if (!ran) return 1;
            if (ran < 0 || memcmp(left, expected[s][blocks], LEFT)) return 2;
        }
    return 0;
}

int main(int argc, char **argv) {
    void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
    struct link_map *map;
    if (!library || dlinfo(library, RTLD_DI_LINKMAP, &map)) {
        fprintf(stderr, "%s\n", argc == 2 ? dlerror() : "which library?");
        return 3;
    }
    for (int l = 0; l < MOST_LANES; l++) lanes_data[l] = guarded(DATA);
    state = guarded(STATE);
    sum = guarded(STATE);
    out = guarded(OUT);
    fixed = guarded(2 * STATE);
    slices = (struct slice *)guarded(PAGE);
    constants();
    unsigned long function, task, word_len, words, lanes, big_endian, family, count;
    while (scanf("%lx %lx %lx %lx %lx %lx %lx %lx", &function, &task, &word_len, &words, &lanes, &big_endian,
                 &family, &count) == 8) {
        static struct change changes[2];
        if (count > 2) return 3;
        for (struct change *c = changes; c < changes + count; c++) {
            unsigned long at;
            char hex[1025];
            if (scanf("%lx %1024s", &at, hex) != 2) return 3;
            c->at = (unsigned char *)(map->l_addr + at);
            c->len = strlen(hex) / 2;
            for (size_t i = 0; i < c->len; i++) {
                unsigned byte;
                sscanf(hex + 2 * i, "%2x", &byte);
                c->bytes[i] = (unsigned char)byte;
            }
        }
        struct kernel k = {(void *)(map->l_addr + function), task, word_len, words, lanes, big_endian, family};
        pid_t child = fork();
        if (child == 0) _exit(differs(&k, changes, count));
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0) return 3;
        if (WIFSIGNALED(status)) printf("ends by signal %d\n", WTERMSIG(status));
        else if (WEXITSTATUS(status) >= 4) printf("cannot be tried (%d)\n", WEXITSTATUS(status));
        else if (WEXITSTATUS(status) == 1) puts("does not give the caller's registers back");
        else if (WEXITSTATUS(status) == 2) puts("computes something else");
        else puts("same");
        fflush(stdout);
    }
    return 0;
}
