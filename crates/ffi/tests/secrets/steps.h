/* Common code of programs that run one step with a key at a time, and whose memory is searched for
   it while they wait (testkit/src/memory). Between the steps they make only system calls, which leave
   the stack below as the step left it. */
#include "../c/holds.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A request: the index of the step, the length of the key that follows it, and the algorithm's name. */
struct request {
    uint32_t step, key_len;
    char algorithm[16];
};

/* The answer: the end of the painted part of the stack, and the memory that may still contain keys. */
struct answer {
    uint64_t stack, live, live_len;
};

#define PAINT 0xa7
#define PAINTED ((size_t)256 << 10)

static unsigned char key[1024], out[1 << 16], message[40000];
static char name[16];
static size_t key_len;
static struct answer answer;

struct step {
    const char *name;
    void (*run)(void);
};

static void overwrite(void *bytes, size_t len) {
    volatile unsigned char *byte = bytes;
    while (len--) *byte++ = 0;
}

static __attribute__((noinline)) void paint(void) {
    volatile unsigned char area[PAINTED];
    for (size_t i = 0; i < sizeof area; i++) area[i] = PAINT;
    answer.stack = (uint64_t)(uintptr_t)(area + sizeof area);
}

static void transfer(ssize_t (*call)(int, void *, size_t), int file, void *bytes, size_t len) {
    for (ssize_t n; len; bytes = (char *)bytes + n, len -= n)
        if ((n = call(file, bytes, len)) <= 0) _exit(len == sizeof(struct request) ? 0 : 1);
}

static ssize_t written(int file, void *bytes, size_t len) { return write(file, bytes, len); }

/* Deliberate copies of the key, which the search must find. */
static unsigned char planted[1024];

static __attribute__((noinline)) void plant_on_the_stack(void) {
    volatile unsigned char copy[1024];
    for (size_t i = 0; i < key_len; i++) copy[i] = key[i];
    HOLDS(copy[0] == key[0]);
}

static void plant_in_the_heap(void) {
    volatile unsigned char *copy = malloc(1024);
    HOLDS(copy);
    for (size_t i = 0; i < key_len; i++) copy[64 + i] = key[i];
    free((void *)copy);
}

static void plant_in_a_static(void) { memcpy(planted, key, key_len); }

static void none(void) {}

#define PLANTED                                                                              \
    {"none", none}, {"plant_on_the_stack", plant_on_the_stack},                              \
        {"plant_in_the_heap", plant_in_the_heap}, {"plant_in_a_static", plant_in_a_static}

static int serve(const struct step *steps, size_t count) {
    for (size_t i = 0; i < sizeof message; i++) message[i] = i % 251;
    printf("steps:");
    for (size_t i = 0; i < count; i++) printf(" %s", steps[i].name);
    printf("\n");
    fflush(stdout);
    for (struct request request;;) {
        transfer(read, 0, &request, sizeof request);
        HOLDS(request.step < count && request.key_len <= sizeof key);
        transfer(read, 0, key, request.key_len);
        memcpy(name, request.algorithm, sizeof name);
        key_len = request.key_len;
        answer.live_len = 0;
        overwrite(planted, sizeof planted);
        paint();
        steps[request.step].run();
        overwrite(key, sizeof key);
        overwrite(out, sizeof out);
        transfer(written, 1, &answer, sizeof answer);
    }
}
