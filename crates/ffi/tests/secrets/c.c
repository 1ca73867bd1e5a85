/* Calls the keyed functions of lanesum.h, one step at a time. */
#include "steps.h"

#include <lanesum.h>

#define OK(call) HOLDS((call) == LANESUM_OK)

static lanesum_hmac_key made;
static lanesum_hmac begun, copied;

static lanesum_algorithm algorithm(void) { return lanesum_algorithm_from_name(name); }

/* Batches of messages: lengths that end within a group of lanes, and long ones. */
static const void *messages[70], *keys[70];
static size_t lens[70], key_lens[70];

static size_t tag_len(void) { return (size_t)lanesum_algorithm_digest_len(algorithm()); }

static void lens_are(size_t count, size_t step, size_t least) {
    for (size_t i = 0; i < count; i++) {
        messages[i] = message + i;
        lens[i] = least + i * step;
        keys[i] = key;
        key_lens[i] = key_len;
    }
}

static void live(void *bytes, size_t len) {
    answer.live = (uint64_t)(uintptr_t)bytes;
    answer.live_len = len;
}

static void once(void) {
    OK(lanesum_hmac_once(algorithm(), key, key_len, message, 100, out, sizeof out));
}

static void make(void) { OK(lanesum_hmac_key_init(&made, algorithm(), key, key_len, NULL)); }

static void key_kept(void) {
    make();
    OK(lanesum_hmac_key_mac(&made, message, 1000, out, sizeof out));
    live(&made, sizeof made);
}

static void key_mac(void) {
    make();
    OK(lanesum_hmac_key_mac(&made, message, 100, out, sizeof out));
    OK(lanesum_hmac_key_wipe(&made));
}

/* The given tag does not match, so that the correct tag is also secret. */
static void key_verify(void) {
    make();
    HOLDS(lanesum_hmac_key_verify(&made, message, 100, out, tag_len()) == LANESUM_E_MISMATCH);
    OK(lanesum_hmac_key_wipe(&made));
}

/* Marks the key as if another thread were initializing it. */
static void key_busy(void) {
    make();
    ((uint64_t *)&made)[0] |= 0x800000;
    HOLDS(lanesum_hmac_key_mac(&made, message, 100, out, sizeof out) == LANESUM_E_BUSY);
    ((uint64_t *)&made)[0] &= ~(uint64_t)0x800000;
    OK(lanesum_hmac_key_wipe(&made));
}

static void many(size_t count, size_t step, size_t least) {
    lens_are(count, step, least);
    make();
    OK(lanesum_mac_many(&made, messages, lens, count, out, sizeof out, NULL));
    OK(lanesum_hmac_key_wipe(&made));
}

static void many_one(void) { many(1, 0, 100); }
static void many_short_one(void) { many(1, 0, 20); }
static void many_short_two(void) { many(2, 0, 20); }
static void many_short_some(void) { many(16, 0, 20); }
static void many_two(void) { many(2, 0, 64); }
static void many_some(void) { many(13, 40, 0); }
static void many_lanes(void) { many(70, 7, 20); }
static void many_long(void) { many(3, 5000, 20000); }

static void begin(void) {
    make();
    OK(lanesum_hmac_init(&begun, &made));
    OK(lanesum_hmac_key_wipe(&made));
    OK(lanesum_hmac_update(&begun, message, 10));
    OK(lanesum_hmac_update(&begun, message, 300));
}

static void begun_kept(void) {
    begin();
    live(&begun, sizeof begun);
}

static void begun_finished(void) {
    begin();
    OK(lanesum_hmac_finish(&begun, out, sizeof out));
}

static void begun_verified(void) {
    begin();
    HOLDS(lanesum_hmac_verify(&begun, out, tag_len()) == LANESUM_E_MISMATCH);
}

static void begun_given_up(void) {
    begin();
    OK(lanesum_hmac_wipe(&begun));
}

static void begun_copied(void) {
    begin();
    OK(lanesum_hmac_copy(&copied, &begun));
    OK(lanesum_hmac_wipe(&begun));
    OK(lanesum_hmac_finish(&copied, out, sizeof out));
}

static void hkdf(void) {
    OK(lanesum_hkdf(algorithm(), "salt", 4, key, key_len, "info", 4, out, 100));
}

static void hkdf_extract(void) {
    OK(lanesum_hkdf_extract(algorithm(), "salt", 4, key, key_len, out, sizeof out));
}

static void hkdf_expand(void) {
    OK(lanesum_hkdf_expand(algorithm(), key, key_len, "info", 4, out, 100));
}

static const void *salts[70], *infos[70];
static size_t fours[70];

static void hkdf_many(size_t count) {
    lens_are(count, 0, 0);
    for (size_t i = 0; i < count; i++) {
        salts[i] = "salt";
        infos[i] = "info";
        fours[i] = 4;
    }
    OK(lanesum_hkdf_many(algorithm(), salts, fours, keys, key_lens, infos, fours, count, out, 100, NULL));
}

static void hkdf_some(void) { hkdf_many(3); }
static void hkdf_lanes(void) { hkdf_many(70); }

static void pbkdf2(void) { OK(lanesum_pbkdf2(algorithm(), key, key_len, "salt", 4, 3, out, 100)); }

static void pbkdf2_many(void) {
    lens_are(5, 0, 0);
    for (size_t i = 0; i < 5; i++) {
        salts[i] = "salt";
        fours[i] = 4;
    }
    OK(lanesum_pbkdf2_many(algorithm(), keys, key_lens, salts, fours, 5, 3, out, 100, NULL));
}

int main(void) {
    static const struct step steps[] = {
        PLANTED,
        {"once", once},
        {"key_kept", key_kept},
        {"key_mac", key_mac},
        {"key_verify", key_verify},
        {"key_busy", key_busy},
        {"many_one", many_one},
        {"many_short_one", many_short_one},
        {"many_short_two", many_short_two},
        {"many_short_some", many_short_some},
        {"many_two", many_two},
        {"many_some", many_some},
        {"many_lanes", many_lanes},
        {"many_long", many_long},
        {"begun_kept", begun_kept},
        {"begun_finished", begun_finished},
        {"begun_verified", begun_verified},
        {"begun_given_up", begun_given_up},
        {"begun_copied", begun_copied},
        {"hkdf", hkdf},
        {"hkdf_extract", hkdf_extract},
        {"hkdf_expand", hkdf_expand},
        {"hkdf_some", hkdf_some},
        {"hkdf_lanes", hkdf_lanes},
        {"pbkdf2", pbkdf2},
        {"pbkdf2_many", pbkdf2_many},
    };
    return serve(steps, sizeof steps / sizeof *steps);
}
