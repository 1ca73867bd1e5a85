/* collisions [reduced|unscreened|plain|unsafe|callback|pieces]... -- FILE...: prints the SHA-1 of each file, "*coll*"
   if a collision was found in it, and the name, as the program sha1dcsum of sha1collisiondetection does. Options
   change the settings; `callback` prints the arguments of each call first; `pieces` copies the context between
   pieces of many lengths. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <sha1dc/sha1.h>

/* The layout of the original header, on 64-bit targets. */
#define IS_AT(field, offset) _Static_assert(offsetof(SHA1_CTX, field) == (offset), #field)
IS_AT(total, 0);
IS_AT(ihv, 8);
IS_AT(buffer, 28);
IS_AT(found_collision, 92);
IS_AT(safe_hash, 96);
IS_AT(detect_coll, 100);
IS_AT(ubc_check, 104);
IS_AT(reduced_round_coll, 108);
IS_AT(callback, 112);
IS_AT(ihv1, 120);
IS_AT(ihv2, 140);
IS_AT(m1, 160);
IS_AT(m2, 480);
IS_AT(states, 800);
_Static_assert(sizeof(SHA1_CTX) == 2400 && _Alignof(SHA1_CTX) == 8, "SHA1_CTX");

static void print(const char *name, const uint32_t *words, int count)
{
    printf(" %s", name);
    for (int i = 0; i < count; i++)
        printf("%s%08x", i ? "," : "=", (unsigned)words[i]);
}

static void found(uint64_t offset, const uint32_t *ihv1, const uint32_t *ihv2, const uint32_t *m1, const uint32_t *m2)
{
    printf("block %llu", (unsigned long long)offset);
    print("ihv1", ihv1, 5);
    print("ihv2", ihv2, 5);
    print("m1", m1, 80);
    print("m2", m2, 80);
    printf("\n");
}

int main(int argc, char **argv)
{
    static char data[1 << 20];
    int files = 1;
    while (files < argc && strcmp(argv[files], "--") != 0)
        files++;
    for (int i = files + 1; i < argc; i++) {
        SHA1_CTX context;
        unsigned char digest[20];
        int pieces = 0;
        FILE *file = fopen(argv[i], "rb");
        assert(file != NULL);
        size_t len = fread(data, 1, sizeof data, file);
        assert(len < sizeof data && fclose(file) == 0);

        /* Every setting is reset by SHA1DCInit, also in memory of any content. */
        memset(&context, 0xff, sizeof context);
        SHA1DCInit(&context);
        assert(!context.found_collision && context.safe_hash == 1 && context.detect_coll == 1);
        assert(context.ubc_check == 1 && context.reduced_round_coll == 0 && context.callback == NULL);
        for (int j = 1; j < files; j++) {
            if (strcmp(argv[j], "reduced") == 0)
                SHA1DCSetDetectReducedRoundCollision(&context, 1);
            else if (strcmp(argv[j], "unscreened") == 0)
                SHA1DCSetUseUBC(&context, 0);
            else if (strcmp(argv[j], "plain") == 0)
                SHA1DCSetUseDetectColl(&context, 0);
            else if (strcmp(argv[j], "unsafe") == 0)
                SHA1DCSetSafeHash(&context, 0);
            else if (strcmp(argv[j], "callback") == 0)
                SHA1DCSetCallback(&context, found);
            else if (strcmp(argv[j], "pieces") == 0)
                pieces = 1;
            else
                assert(0);
        }
        size_t at = 0, piece = 0;
        while (pieces && at < len) {
            SHA1_CTX copy = context;
            size_t next = piece < len - at ? piece : len - at;
            memset(&context, 0, sizeof context);
            SHA1DCUpdate(&copy, data + at, next);
            context = copy;
            assert(context.total == at + next);
            at += next;
            piece = (piece + 1) % 131;
        }
        SHA1DCUpdate(&context, data + at, len - at);
        int collision = SHA1DCFinal(digest, &context);
        assert(collision == context.found_collision);
        for (int j = 0; j < 20; j++)
            printf("%02x", digest[j]);
        printf(" %s %s\n", collision ? "*coll*" : "", argv[i]);
    }
    return 0;
}
