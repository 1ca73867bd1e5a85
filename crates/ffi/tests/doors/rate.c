/* Measures how many messages per second a PKCS #11 module hashes: rate MODULE LENGTH THREADS
   SECONDS [many]. Makes two calls per message, in one session per thread. With `many`, hashes
   batches of a thousand messages through Lanesum's own interface. */
#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <lanesum-pkcs11.h>

#define BATCH 1000

static CK_FUNCTION_LIST *f;
static LANESUM_FUNCTION_LIST *many;
static CK_SLOT_ID slot;
static CK_ULONG length;
static double seconds;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static void must(CK_RV status) {
    if (status != CKR_OK) fprintf(stderr, "status %#lx\n", status), exit(1);
}

static void *work(void *result) {
    CK_SESSION_HANDLE s;
    CK_MECHANISM sha1 = {CKM_SHA_1, NULL, 0};
    CK_BYTE *message = calloc(BATCH, length), *out = malloc(20 * BATCH);
    const CK_BYTE *messages[BATCH];
    CK_ULONG lengths[BATCH];
    for (int i = 0; i < BATCH; i++) messages[i] = message + i * length, lengths[i] = length;
    must(f->C_OpenSession(slot, CKF_SERIAL_SESSION, NULL, NULL, &s));
    double begin = now(), end = begin;
    unsigned long count = 0;
    while (end - begin < seconds) {
        if (many) {
            CK_ULONG n = 20 * BATCH;
            must(many->DigestMany(s, &sha1, messages, lengths, BATCH, out, &n));
        } else
            for (int i = 0; i < BATCH; i++) {
                CK_ULONG n = 20;
                must(f->C_DigestInit(s, &sha1));
                must(f->C_Digest(s, message, length, out, &n));
            }
        count += BATCH;
        end = now();
    }
    *(double *)result = count / (end - begin);
    return NULL;
}

int main(int n, char **arguments) {
    if (n < 5) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    CK_RV (*get)(CK_FUNCTION_LIST **) = dlsym(library, "C_GetFunctionList");
    CK_C_INITIALIZE_ARGS threaded = {.flags = CKF_OS_LOCKING_OK};
    CK_ULONG slots = 1;
    must(get(&f));
    must(f->C_Initialize(&threaded));
    CK_SLOT_ID list[16];
    slots = 16;
    must(f->C_GetSlotList(CK_TRUE, list, &slots));
    slot = list[0];
    length = strtoul(arguments[2], NULL, 10);
    int threads = atoi(arguments[3]);
    seconds = atof(arguments[4]);
    if (n > 5) {
        struct { CK_UTF8CHAR *name; void *list; CK_FLAGS flags; } *interface;
        CK_RV (*get_interface)(const char *, CK_VERSION *, void *, CK_FLAGS) =
            dlsym(library, "C_GetInterface");
        must(get_interface("Vendor Lanesum", NULL, &interface, 0));
        many = interface->list;
    }
    pthread_t thread[64];
    double rate[64], sum = 0;
    for (int i = 0; i < threads && i < 64; i++) pthread_create(&thread[i], NULL, work, &rate[i]);
    for (int i = 0; i < threads && i < 64; i++) pthread_join(thread[i], NULL), sum += rate[i];
    printf("%.0f messages a second, %.1f MB/s\n", sum, sum * length / 1e6);
    return 0;
}
