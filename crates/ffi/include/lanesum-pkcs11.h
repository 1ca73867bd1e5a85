/* Lanesum's vendor interface for hashing many messages per call. Include this file after
   a pkcs11.h of PKCS #11 3.0 or later, such as NSS's (that of p11-kit 0.24 is older).
   Obtain the interface with

       CK_INTERFACE *interface;
       C_GetInterface((CK_UTF8CHAR *)"Vendor Lanesum", NULL, &interface, 0);
       LANESUM_FUNCTION_LIST *many = interface->pFunctionList;

   The messages are hashed in parallel SIMD lanes. All functions are thread-safe. They
   require an open session, and do not affect its active operations. */
#ifndef LANESUM_PKCS11_H
#define LANESUM_PKCS11_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LANESUM_FUNCTION_LIST {
    /* The version of this interface: 1.0. Additions increment the minor number, breaking
       changes the major number. */
    CK_VERSION version;

    /* Hashes `count` messages. messages[i] is lengths[i] bytes. Writes the digests to
       `digests`, contiguously and in order. The buffer may overlap the messages. If
       `digests` is NULL, writes the required length to *digests_length. If the buffer is
       too small, returns CKR_BUFFER_TOO_SMALL and also writes the length. Supports the
       mechanisms of C_DigestInit. */
    CK_RV (*DigestMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
                        const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                        CK_BYTE *digests, CK_ULONG *digests_length);

    /* Computes the HMAC tags of `count` messages under one key. messages[i] is lengths[i]
       bytes. Writes the tags to `tags`, contiguously and in order. The buffer may overlap
       the messages. If `tags` is NULL, writes the required length to *tags_length. If the
       buffer is too small, returns CKR_BUFFER_TOO_SMALL and also writes the length.
       Supports the mechanisms of C_SignInit. */
    CK_RV (*SignMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                      const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                      CK_BYTE *tags, CK_ULONG *tags_length);
} LANESUM_FUNCTION_LIST;

#ifdef __cplusplus
}
#endif

#endif
