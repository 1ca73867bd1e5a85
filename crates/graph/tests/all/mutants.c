/* Says of changed machine code whether it is still the same function.
 *
 * The first argument is a library. Each line of the input is a function and a change of its code:
 * where it is, the bytes of a word, the words of a chaining value, lanes, where the change is, its
 * bytes; all in hexadecimal. The answer is a line: "same", or how it differs. A child tries
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

struct slice { const unsigned char *data; size_t len; };

/* Calls a function with six arguments, its stack moved by some bytes; whether it gave everything
 * back that is the caller's. */
int call(void *function, const uint64_t *arguments, uint64_t moved);
__asm__(".intel_syntax noprefix\n"
        ".text\n.globl call\n.type call, @function\n"
        "call:\n"
        "push rbx\npush rbp\npush r12\npush r13\npush r14\npush r15\npush rax\n"
        "mov [rip + before], rsp\n"
        "sub rsp, rdx\n"
        "mov [rip + moved], rsp\n"
        "mov rax, rdi\nmov r10, rsi\n"
        "mov rdi, [r10]\nmov rsi, [r10 + 8]\nmov rdx, [r10 + 16]\n"
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

static unsigned char *lanes_data[MOST_LANES], *state;
static struct slice *slices;

struct kernel { void *function; size_t word_len, words, lanes; };

/* One call: with what it leaves in the state's memory. */
static int run(const struct kernel *k, size_t blocks, size_t stride, unsigned char *left) {
    size_t block = 16 * k->word_len, count = (k->words - 1) * stride + k->lanes;
    /* Beside the page before, or the one after. */
    int high = blocks % 2 == 0;
    seed = 1 + blocks + 1000 * stride;
    unsigned char *words = state + (high ? STATE - count * k->word_len : 0);
    mprotect(slices, PAGE, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < STATE; i++) state[i] = random_byte();
    for (size_t l = 0; l < k->lanes; l++) {
        unsigned char *data = lanes_data[l] + (high ? DATA - blocks * block : 0);
        mprotect(lanes_data[l], DATA, PROT_READ | PROT_WRITE);
        for (size_t i = 0; i < blocks * block; i++) data[i] = random_byte();
        mprotect(lanes_data[l], DATA, PROT_READ);
        slices[l] = (struct slice){data, blocks * block};
    }
    mprotect(slices, PAGE, PROT_READ);
    uint64_t arguments[6] = {(uint64_t)words, count, stride, (uint64_t)slices, k->lanes, blocks};
    int kept = call(k->function, arguments, 16 * (blocks % 4));
    memcpy(left, state, STATE);
    return kept;
}

static unsigned char expected[2][BLOCKS + 1][STATE];

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
    static unsigned char left[STATE];
    for (int s = 0; s < 2; s++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
            if (!run(k, blocks, k->lanes + 3 * s, left)) return 1;
            if (memcmp(left, expected[s][blocks], STATE)) return 2;
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
    slices = (struct slice *)guarded(PAGE);
    unsigned long function, word_len, words, lanes, at;
    char hex[64];
    while (scanf("%lx %lx %lx %lx %lx %63s", &function, &word_len, &words, &lanes, &at, hex) == 6) {
        unsigned char bytes[32];
        size_t len = strlen(hex) / 2;
        for (size_t i = 0; i < len; i++) {
            unsigned byte;
            sscanf(hex + 2 * i, "%2x", &byte);
            bytes[i] = (unsigned char)byte;
        }
        struct kernel k = {(void *)(map->l_addr + function), word_len, words, lanes};
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
