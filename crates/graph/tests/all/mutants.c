/* Says of changed machine code whether it is still the same function.
 *
 * The first argument is a library. Each line of the input is a function and a change of its code:
 * where it is, what it does, the bytes of a word, the words of a chaining value, lanes, whether the
 * highest byte of a word is the first, where the change is, its bytes; all in hexadecimal. The answer is a line: "same", or how it differs. A child tries
 * each, so that it may run wild. */
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

enum { PAGE = 4096, BLOCKS = 70, MOST_LANES = 32, DATA = 3 * PAGE, STATE = 2 * PAGE };
enum { OUT = PAGE, LEFT = 2 * STATE + OUT };
/* What a function does. */
enum { COMPRESS, FINISH, WRITE, ITERATE };

struct slice { const unsigned char *data; size_t len; };

/* Calls a function with nine arguments, its stack moved by some bytes; whether it gave everything
 * back that is the caller's. */
int call(void *function, const uint64_t *arguments, uint64_t moved);
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
        ".bss\n.balign 8\nbefore: .skip 8\nmoved: .skip 8\n.text\n"
        ".att_syntax prefix\n");

/* So many bytes between pages that nobody may touch. */
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

struct kernel { void *function; size_t task, word_len, words, lanes, big_endian; };

/* How long the message of a lane is. */
static size_t length(const struct kernel *k, size_t n, size_t lane) {
    size_t block = 16 * k->word_len;
    if (k->task == COMPRESS) return n * block;
    /* Of one message every end of a block. */
    if (k->lanes == 1) return n * (block + 3) % (4 * block);
    /* All of one length, or of many. */
    return n % 3 ? (n * 37 + lane * lane * 29 + lane * n * 11) % (4 * block) : n * 7 % (3 * block);
}

/* Words of memory at the end of its pages or at their beginning, filled. */
static unsigned char *filled(unsigned char *all, size_t pages, size_t len, int high) {
    mprotect(all, pages, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < pages; i++) all[i] = random_byte();
    return all + (high ? pages - len : 0);
}

static void put(unsigned char *to, size_t word_len, uint64_t word) { memcpy(to, &word, word_len); }

/* The padding of a digest of all its words, and masks of them. */
static unsigned char *link_of(const struct kernel *k, unsigned char *to) {
    size_t w = k->word_len;
    memset(to, 0, 24 * w);
    put(to + k->words * w, w, k->big_endian ? (uint64_t)0x80 << (8 * w - 8) : 0x80);
    put(to + (k->big_endian ? 15 : 14) * w, w, 8 * (16 * w + k->words * w));
    memset(to + 16 * w, 0xff, k->words * w);
    return to;
}

/* One call: with what it leaves in memory. */
static int run(const struct kernel *k, size_t n, size_t stride, unsigned char *left) {
    size_t count = (k->words - 1) * stride + k->lanes, len = count * k->word_len;
    /* Beside the page before, or the one after. */
    int high = n % 2 == 0;
    seed = 1 + n + 1000 * stride;
    unsigned char *words = filled(state, STATE, len, high);
    uint64_t arguments[9] = {(uint64_t)words, count, stride};
    if (k->task == COMPRESS || k->task == FINISH) {
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
    unsigned char *digests = filled(out, OUT, 64 * k->lanes, high);
    unsigned char before[OUT];
    memcpy(before, out, OUT);
    if (k->task == WRITE) {
        mprotect(state, STATE, PROT_READ);
        arguments[3] = (uint64_t)digests;
        arguments[4] = k->lanes;
    }
    unsigned char *sums = filled(sum, STATE, len, high);
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
    int kept = call(k->function, arguments, 16 * (n % 4));
    /* Behind a digest may be zeros, or what was there. */
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

/* In a child: whether the function is the same after the change. */
static int differs(const struct kernel *k, unsigned char *at, const unsigned char *bytes, size_t len) {
    struct rlimit seconds = {5, 5};
    setrlimit(RLIMIT_CPU, &seconds);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (int s = 0; s < 2; s++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++)
            if (!run(k, blocks, k->lanes + 3 * s, expected[s][blocks])) return 4;
    uintptr_t from = (uintptr_t)at & -(uintptr_t)PAGE, to = ((uintptr_t)at + len + PAGE) & -(uintptr_t)PAGE;
    if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC)) return 5;
    memcpy(at, bytes, len);
    static unsigned char left[LEFT];
    for (int s = 0; s < 2; s++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
            if (!run(k, blocks, k->lanes + 3 * s, left)) return 1;
            if (memcmp(left, expected[s][blocks], LEFT)) return 2;
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
    unsigned long function, task, word_len, words, lanes, big_endian, at;
    char hex[64];
    while (scanf("%lx %lx %lx %lx %lx %lx %lx %63s", &function, &task, &word_len, &words, &lanes,
                 &big_endian, &at, hex) == 8) {
        unsigned char bytes[32];
        size_t len = strlen(hex) / 2;
        for (size_t i = 0; i < len; i++) {
            unsigned byte;
            sscanf(hex + 2 * i, "%2x", &byte);
            bytes[i] = (unsigned char)byte;
        }
        struct kernel k = {(void *)(map->l_addr + function), task, word_len, words, lanes, big_endian};
        pid_t child = fork();
        if (child == 0) _exit(differs(&k, (unsigned char *)(map->l_addr + at), bytes, len));
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
