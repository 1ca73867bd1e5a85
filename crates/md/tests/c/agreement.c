/* Checks that every function of the system's libmd and of ours behaves the same, and that each
   library can continue with the other's context.

     agreement SYSTEM OURS FILE FOLDER ROUNDS */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define HOLDS(condition)                                                                     \
    do {                                                                                     \
        if (!(condition)) {                                                                  \
            fprintf(stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, name, #condition);    \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

static const struct {
    const char *name;
    size_t digest, context, block, state;
} ALGORITHMS[] = {
    {"MD2", 16, 68, 16, 0},      {"MD4", 16, 88, 64, 16},     {"MD5", 16, 88, 64, 16},
    {"RMD160", 20, 96, 64, 20},  {"SHA1", 20, 96, 64, 20},    {"SHA256", 32, 208, 64, 32},
    {"SHA384", 48, 208, 128, 64}, {"SHA512", 64, 208, 128, 64},
};

typedef struct {
    void (*init)(void *), (*update)(void *, const void *, size_t), (*pad)(void *),
        (*final)(void *, void *), (*transform)(void *, const void *);
    char *(*end)(void *, char *), *(*file)(const char *, char *),
        *(*chunk)(const char *, char *, off_t, off_t), *(*data)(const void *, size_t, char *);
} Functions;

static Functions load(void *library, const char *name) {
    Functions functions;
    void **to = (void **)&functions;
    const char *const suffixes[] = {"Init", "Update", "Pad",       "Final", "Transform",
                                    "End",  "File",   "FileChunk", "Data"};
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, "%s%s", name, suffixes[i]);
        to[i] = dlsym(library, symbol);
        HOLDS(to[i] != NULL || strcmp(symbol, "MD2Pad") == 0);
    }
    return functions;
}

static unsigned long random_state = 1;
static size_t below(size_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

static _Alignas(8) unsigned char contexts[2][256];
static unsigned char message[100000];

/* Clears the padding between the fields of a context of 96 bytes. */
static void close_gap(size_t context) {
    if (context == 96)
        for (int l = 0; l < 2; l++)
            memset(contexts[l] + 20, 0, 4);
}

/* Checks that both contexts contain the same message: the state, the length, and the used part of
   the buffer. */
static void same(const char *name, size_t context, size_t block, size_t len) {
    size_t buffer = context == 208 ? 128 : context == 68 ? 0 : 64;
    size_t used = len % block;
    close_gap(context);
    if (context == 68) { /* end, checksum, digest, block */
        HOLDS(memcmp(contexts[0], contexts[1], 4 + 16 + 16 + used) == 0);
        return;
    }
    HOLDS(memcmp(contexts[0], contexts[1], context - buffer) == 0);
    HOLDS(memcmp(contexts[0] + context - buffer, contexts[1] + context - buffer, used) == 0);
}

static void streams(const char *name, const Functions *f, size_t digest, size_t context,
                    size_t block, int rounds) {
    unsigned char digests[2][64];
    for (int round = 0; round < rounds; round++) {
        size_t len = 0;
        memset(contexts, 0xa5, sizeof contexts);
        for (int l = 0; l < 2; l++)
            memset(contexts[l], 0, context), f[l].init(contexts[l]);
        same(name, context, block, 0);
        for (size_t runs = below(6); runs > 0; runs--) {
            size_t run = below(2) ? below(300) : below(5000);
            for (int l = 0; l < 2; l++)
                f[l].update(contexts[l], message + len, run);
            len += run;
            same(name, context, block, len);
            /* Each library continues with the other's context. */
            if (below(2)) {
                unsigned char swap[256];
                memcpy(swap, contexts[0], sizeof swap);
                memcpy(contexts[0], contexts[1], sizeof swap);
                memcpy(contexts[1], swap, sizeof swap);
            }
        }
        if (f[0].pad != NULL && round % 5 == 0) {
            for (int l = 0; l < 2; l++)
                f[l].pad(contexts[l]);
            close_gap(context);
            HOLDS(memcmp(contexts[0], contexts[1], context == 208 ? 80 : context - 64) == 0);
        }
        if (round % 3 == 0) {
            char text[2][129];
            for (int l = 0; l < 2; l++)
                HOLDS(f[l].end(contexts[l], text[l]) == text[l]);
            HOLDS(strlen(text[0]) == 2 * digest && strcmp(text[0], text[1]) == 0);
        } else {
            for (int l = 0; l < 2; l++)
                f[l].final(digests[l], contexts[l]);
            HOLDS(memcmp(digests[0], digests[1], digest) == 0);
        }
        close_gap(context);
        /* No part of the message remains, and nothing was written past the context. */
        for (size_t i = 0; i < sizeof *contexts; i++)
            HOLDS(contexts[1][i] == (i < context ? 0 : 0xa5));
    }
}

static void agree_on(const char *name, char *theirs, int their_errno, char *ours, int our_errno) {
    HOLDS((theirs == NULL) == (ours == NULL));
    HOLDS(theirs == NULL ? their_errno == our_errno : strcmp(theirs, ours) == 0);
    free(theirs);
    free(ours);
}

static void whole(const char *name, const Functions *f, const char *file, const char *folder) {
    const off_t offsets[] = {0, 1, 4095, 8192, 70000, 99999, 100000, 200000, -1, -70000};
    const char *names[] = {file, folder, "/nonexistent", "", NULL};
    for (size_t len = 0; len < 300; len++)
        agree_on(name, f[0].data(message, len, NULL), 0, f[1].data(message, len, NULL), 0);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char *theirs = (errno = 0, f[0].file(names[n], NULL));
        int their_errno = errno;
        char *ours = (errno = 0, f[1].file(names[n], NULL));
        agree_on(name, theirs, their_errno, ours, errno);
    }
    for (size_t from = 0; from < 10; from++)
        for (size_t len = 0; len < 10; len++) {
            /* The manual specifies that a negative length is ignored, but the system's
               library aborts the program (1.0.4). */
            off_t known = offsets[len] < 0 ? 0 : offsets[len];
            char *theirs = f[0].chunk(file, NULL, offsets[from], known);
            char *ours = f[1].chunk(file, NULL, offsets[from], offsets[len]);
            agree_on(name, theirs, 0, ours, 0);
        }
}

/* Calls that would crash the system's library. */
static void misuse(const char *name, const Functions *ours, size_t digest, size_t context) {
    unsigned char out[64];
    char text[129];
    ours->init(NULL);
    ours->update(NULL, message, 3);
    ours->final(out, NULL);
    HOLDS(ours->end(NULL, text) == NULL && ours->end(NULL, NULL) == NULL);
    HOLDS(ours->data(NULL, 3, text) == NULL);
    ours->init(contexts[0]);
    ours->update(contexts[0], NULL, 3);
    ours->update(contexts[0], message, 0);
    ours->final(NULL, contexts[0]);
    ours->transform(NULL, NULL);
    if (ours->pad != NULL)
        ours->pad(NULL);
    /* Any memory is a valid context. Nothing past it is accessed. */
    for (int byte = 0; byte < 256; byte++) {
        memset(contexts, byte, sizeof contexts);
        ours->update(contexts[0], message, 1000);
        ours->update(contexts[0], message, 7);
        if (ours->pad != NULL)
            ours->pad(contexts[0]);
        ours->final(out, contexts[0]);
        ours->update(contexts[0], message, 1000);
        ours->final(out, contexts[0]);
        for (size_t i = context; i < sizeof *contexts; i++)
            HOLDS(contexts[0][i] == byte);
    }
    (void)digest;
}

int main(int argc, char **argv) {
    const char *name = "main";
    HOLDS(argc == 6);
    void *libraries[2];
    for (int l = 0; l < 2; l++) {
        libraries[l] = dlopen(argv[1 + l], RTLD_NOW | RTLD_LOCAL);
        if (libraries[l] == NULL)
            fprintf(stderr, "%s\n", dlerror());
        HOLDS(libraries[l] != NULL);
    }
    for (size_t i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)(i * i >> 3 ^ i);
    for (size_t a = 0; a < sizeof ALGORITHMS / sizeof *ALGORITHMS; a++) {
        Functions f[2];
        name = ALGORITHMS[a].name;
        for (int l = 0; l < 2; l++)
            f[l] = load(libraries[l], name);
        if (ALGORITHMS[a].state > 0) {
            _Alignas(8) unsigned char state[2][64];
            for (int l = 0; l < 2; l++) {
                memcpy(state[l], message, sizeof *state);
                f[l].transform(state[l], message + 64);
            }
            HOLDS(memcmp(state[0], state[1], sizeof *state) == 0);
        }
        streams(name, f, ALGORITHMS[a].digest, ALGORITHMS[a].context, ALGORITHMS[a].block,
                atoi(argv[5]));
        whole(name, f, argv[3], argv[4]);
        misuse(name, &f[1], ALGORITHMS[a].digest, ALGORITHMS[a].context);
    }
    return 0;
}
