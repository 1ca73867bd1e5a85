#define _GNU_SOURCE
/* A process with FreeBSD's functions and libcrypto's of the same names. Both compute correct digests,
   whichever library takes precedence.

     freebsd LIBCRYPTO OURS FILE: the library that is opened first takes precedence */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* For each algorithm, the smaller of the sizes of FreeBSD's and OpenSSL's contexts. */
static const struct {
    const char *name;
    size_t context, digest;
} ALGORITHMS[] = {{"RIPEMD160", 96, 20}, {"SHA1", 96, 20},    {"SHA224", 104, 28},
                  {"SHA256", 104, 32},   {"SHA384", 208, 48}, {"SHA512", 208, 64}};

static void *function(void *library, const char *name, const char *suffix) {
    char symbol[64];
    snprintf(symbol, sizeof symbol, "%s_%s", name, suffix);
    void *found = dlsym(library, symbol);
    if (found == NULL) {
        fprintf(stderr, "no %s\n", symbol);
        exit(1);
    }
    return found;
}

static void print(const char *name, const unsigned char *bytes, size_t len) {
    printf("%s ", name);
    for (size_t i = 0; i < len; i++)
        printf("%02x", bytes[i]);
    printf("\n");
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    void *libraries[2];
    for (int l = 0; l < 2; l++)
        if ((libraries[l] = dlopen(argv[1 + l], RTLD_NOW | RTLD_GLOBAL)) == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
    /* The functions that a program gets by default, those in each library, and EVP, which calls
       libcrypto's internal functions. */
    void *const from[] = {RTLD_DEFAULT, libraries[0], libraries[1]};
    for (size_t a = 0; a < sizeof ALGORITHMS / sizeof *ALGORITHMS; a++)
        for (int l = 0; l < 3; l++) {
            const char *name = ALGORITHMS[a].name;
            int (*init)(void *) = function(from[l], name, "Init");
            int (*update)(void *, const void *, size_t) = function(from[l], name, "Update");
            int (*final)(void *, void *) = function(from[l], name, "Final");
            _Alignas(8) unsigned char context[256];
            unsigned char digest[64];
            memset(context, 0xa5, sizeof context);
            if (init(context) != 1 || update(context, "ab", 2) != 1 ||
                update(context, "c", 1) != 1 || final(digest, context) != 1)
                return 1;
            print(name, digest, ALGORITHMS[a].digest);
            Dl_info info;
            if (dladdr((void *)init, &info) && strstr(info.dli_fname, "lanesum"))
                for (size_t i = ALGORITHMS[a].context; i < sizeof context; i++)
                    if (context[i] != 0xa5)
                        return 3;
        }
    int (*evp)(const void *, size_t, unsigned char *, unsigned *, const void *, void *) =
        dlsym(RTLD_DEFAULT, "EVP_Digest");
    const void *(*sha256)(void) = dlsym(RTLD_DEFAULT, "EVP_sha256");
    unsigned char digest[64];
    unsigned len;
    if (evp == NULL || sha256 == NULL || evp("abc", 3, digest, &len, sha256(), NULL) != 1)
        return 1;
    print("SHA256", digest, len);

    /* FreeBSD's functions for file descriptors. */
    void *ours = dlsym(libraries[0], "SHA256_Fd") != NULL ? libraries[0] : libraries[1];
    char *(*fd)(int, char *) = dlsym(ours, "SHA256_Fd");
    char *(*fd_chunk)(int, char *, off_t, off_t) = dlsym(ours, "SHA256_FdChunk");
    char *(*file)(const char *, char *) = dlsym(ours, "SHA256_File");
    int opened = open(argv[3], O_RDONLY);
    char text[3][65];
    if (file(argv[3], text[0]) == NULL || fd(opened, text[1]) == NULL ||
        fd_chunk(opened, text[2], 1, 0) == NULL || fd(-1, text[2]) != NULL ||
        fd(12345, NULL) != NULL || lseek(opened, 0, SEEK_CUR) <= 0)
        return 1;
    printf("%s\n%s\n%s\n", text[0], text[1], text[2]);
    return 0;
}
