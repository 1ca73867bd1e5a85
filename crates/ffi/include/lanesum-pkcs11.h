/* Lanesum's own interface of its PKCS #11 module, for many messages at once. Include it
   after pkcs11.h. Get it by

       CK_INTERFACE *interface;
       C_GetInterface((CK_UTF8CHAR *)"Vendor Lanesum", NULL, &interface, 0);
       LANESUM_FUNCTION_LIST *many = interface->pFunctionList;

   The messages run side by side in the lanes of the CPU, which one call for each message
   could not use. The session only has to be open: its operations are neither used nor
   ended. Any threads may call at once. */
#ifndef LANESUM_PKCS11_H
#define LANESUM_PKCS11_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LANESUM_FUNCTION_LIST {
    /* Of this interface: 1.0. What is added makes it 1.1; what changes, 2.0. */
    CK_VERSION version;

    /* Digests of `count` messages, messages[i] being lengths[i] bytes: one after the other,
       in order, to `digests`, which may share memory with the messages. With digests NULL,
       *digests_length is told; with too little room, CKR_BUFFER_TOO_SMALL and the length.
       Mechanisms are those of C_DigestInit. */
    CK_RV (*DigestMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism,
                        const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                        CK_BYTE *digests, CK_ULONG *digests_length);

    /* Tags of `count` messages under one key, likewise. Mechanisms are those of C_SignInit. */
    CK_RV (*SignMany)(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                      const CK_BYTE *const *messages, const CK_ULONG *lengths, CK_ULONG count,
                      CK_BYTE *tags, CK_ULONG *tags_length);
} LANESUM_FUNCTION_LIST;

#ifdef __cplusplus
}
#endif

#endif
