/* Lanesum's own interface of its PKCS #11 module, for many messages at once. Include it
   after pkcs11.h. Get it by

       CK_INTERFACE *interface;
       C_GetInterface((CK_UTF8CHAR *)"Vendor Lanesum", NULL, &interface, 0);
       LANESUM_FUNCTION_LIST *many = interface->pFunctionList;

   The messages are hashed in parallel in SIMD lanes, which single calls cannot use. The
   session must be open, but its active operations are neither used nor terminated. Any
   number of threads may call at the same time. */
#ifndef LANESUM_PKCS11_H
#define LANESUM_PKCS11_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LANESUM_FUNCTION_LIST {
    /* The version of this interface: 1.0. Additions increase the minor version, changes the
       major version. */
    CK_VERSION version;

    /* Hashes `count` messages, where messages[i] has lengths[i] bytes, and writes the digests
       consecutively to `digests`, which may overlap the messages. If `digests` is NULL, only
       sets *digests_length; if the buffer is too small, returns CKR_BUFFER_TOO_SMALL and
       also sets it. Accepts the mechanisms of C_DigestInit. */
    CK_RV (*DigestMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
                        const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                        CK_BYTE *digests, CK_ULONG *digests_length);

    /* Computes the tags of `count` messages with one key, and writes them consecutively to
       `tags`, which may overlap the messages. `tags_length` works like `digests_length` of
       DigestMany. Accepts the mechanisms of C_SignInit. */
    CK_RV (*SignMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                      const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                      CK_BYTE *tags, CK_ULONG *tags_length);
} LANESUM_FUNCTION_LIST;

#ifdef __cplusplus
}
#endif

#endif
