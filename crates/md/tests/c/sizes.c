/* Checks that the contexts of the system's headers have the same size as ours. */
#include <md2.h>
#include <md4.h>
#include <md5.h>
#include <rmd160.h>
#include <sha1.h>
#include <sha2.h>
_Static_assert(sizeof(MD2_CTX) == 68 && _Alignof(MD2_CTX) == 4, "MD2_CTX");
_Static_assert(sizeof(MD4_CTX) == 88 && _Alignof(MD4_CTX) == 8, "MD4_CTX");
_Static_assert(sizeof(MD5_CTX) == 88 && _Alignof(MD5_CTX) == 8, "MD5_CTX");
_Static_assert(sizeof(RMD160_CTX) == 96 && _Alignof(RMD160_CTX) == 8, "RMD160_CTX");
_Static_assert(sizeof(SHA1_CTX) == 96 && _Alignof(SHA1_CTX) == 8, "SHA1_CTX");
_Static_assert(sizeof(SHA2_CTX) == 208 && _Alignof(SHA2_CTX) == 8, "SHA2_CTX");
int main(void) {
    /* A program compiled with these headers runs with either library. */
    SHA2_CTX context;
    unsigned char digest[64];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)"abc", 3);
    SHA256Final(digest, &context);
    return digest[0] == 0xba && digest[31] == 0xad ? 0 : 1;
}
