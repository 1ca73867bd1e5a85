//! The disturbance vectors of SHA-1 that are usable for collisions, and their unavoidable bit
//! conditions on the message: Marc Stevens and Daniel Shumow, "Speeding up detection of SHA-1
//! collision attacks using unavoidable attack conditions" (USENIX Security 2017), from their
//! `lib/ubc_check_verify.c` (github.com/cr-marcstevens/sha1collisiondetection, MIT). The other
//! tables of their program are computed: see `difference`.

/// Calls `$callback` with all vectors, sorted by class, b and descending k: class, k and b, the round before
/// which two messages that collide by it have the same state, and the conditions. A condition is whether two bits of the
/// schedule differ: the word and bit of each, and the condition's sense.
macro_rules! each_vector {
    ($callback:ident $(, $($given:tt)*)?) => {
        $callback! { $($($given)*)?
            I(52, 0) from 65: [
                (38, 4, 39, 4, true), (38, 4, 43, 29, true), (42, 4, 44, 29, false), (42, 4, 45, 29, false),
                (42, 4, 46, 29, false), (46, 4, 48, 4, true), (46, 4, 48, 29, false), (46, 4, 49, 29, false),
                (46, 4, 50, 4, false), (46, 4, 51, 29, true), (46, 4, 52, 4, true), (46, 4, 53, 29, false),
                (46, 4, 55, 29, true), (46, 4, 56, 29, true),
            ];
            I(51, 0) from 65: [
                (37, 4, 38, 4, true), (35, 3, 39, 28, false), (37, 4, 42, 29, true), (41, 4, 43, 29, false),
                (41, 4, 44, 29, false), (41, 4, 45, 29, false), (45, 4, 47, 4, true), (45, 4, 47, 29, false),
                (45, 4, 48, 29, false), (45, 4, 49, 4, false), (45, 4, 50, 29, true), (45, 4, 51, 4, true),
                (45, 4, 52, 29, false), (45, 4, 54, 29, true), (45, 4, 55, 29, true),
            ];
            I(50, 0) from 65: [
                (36, 4, 37, 4, true), (36, 4, 41, 29, true), (40, 4, 42, 29, false), (40, 4, 43, 29, false),
                (40, 4, 44, 29, false), (44, 4, 46, 4, true), (44, 4, 46, 29, false), (44, 4, 47, 29, false),
                (44, 4, 48, 4, false), (44, 4, 49, 29, true), (44, 4, 50, 4, true), (44, 4, 51, 29, false),
                (44, 4, 53, 29, true), (44, 4, 54, 29, true),
            ];
            I(49, 0) from 58: [
                (36, 4, 40, 29, false), (39, 4, 41, 29, false), (39, 4, 42, 29, false), (39, 4, 43, 29, false),
                (43, 4, 45, 4, true), (43, 4, 45, 29, false), (43, 4, 46, 29, false), (43, 4, 47, 4, false),
                (43, 4, 48, 29, true), (43, 4, 49, 4, true), (43, 4, 50, 29, false), (43, 4, 52, 29, true),
                (43, 4, 53, 29, true),
            ];
            I(48, 0) from 58: [
                (35, 4, 39, 29, false), (38, 4, 40, 29, false), (38, 4, 41, 29, false), (38, 4, 42, 29, false),
                (42, 4, 44, 4, true), (42, 4, 44, 29, false), (42, 4, 45, 29, false), (42, 4, 46, 4, false),
                (42, 4, 47, 29, true), (42, 4, 48, 4, true), (42, 4, 49, 29, false), (42, 4, 51, 29, true),
                (42, 4, 52, 29, true), (63, 0, 64, 5, true),
            ];
            I(47, 0) from 58: [
                (37, 4, 40, 29, false), (37, 4, 41, 29, false), (41, 4, 43, 4, true), (41, 4, 43, 29, false),
                (41, 4, 44, 29, false), (41, 4, 45, 4, false), (41, 4, 46, 29, true), (41, 4, 47, 4, true),
                (41, 4, 48, 29, false), (41, 4, 50, 29, true), (41, 4, 51, 29, true), (62, 0, 63, 5, true),
            ];
            I(46, 0) from 58: [
                (36, 4, 40, 29, false), (40, 4, 42, 4, true), (40, 4, 42, 29, false), (40, 4, 43, 29, false),
                (40, 4, 44, 4, false), (40, 4, 45, 29, true), (40, 4, 46, 4, true), (40, 4, 47, 29, false),
                (40, 4, 49, 29, true), (40, 4, 50, 29, true), (61, 0, 62, 5, true),
            ];
            I(45, 0) from 58: [
                (35, 4, 39, 29, false), (39, 4, 41, 4, true), (39, 4, 41, 29, false), (39, 4, 42, 29, false),
                (39, 4, 43, 4, false), (39, 4, 44, 29, true), (39, 4, 45, 4, true), (39, 4, 46, 29, false),
                (39, 4, 48, 29, true), (39, 4, 49, 29, true), (63, 1, 64, 6, true), (60, 0, 61, 5, true),
            ];
            I(44, 0) from 58: [
                (38, 4, 40, 4, true), (38, 4, 40, 29, false), (38, 4, 41, 29, false), (38, 4, 42, 4, false),
                (38, 4, 43, 29, true), (38, 4, 44, 4, true), (38, 4, 45, 29, false), (38, 4, 47, 29, true),
                (38, 4, 48, 29, true), (62, 1, 63, 6, true), (60, 5, 64, 30, false), (59, 0, 64, 30, true),
            ];
            I(43, 0) from 58: [
                (37, 4, 39, 4, true), (37, 4, 40, 29, false), (37, 4, 41, 4, false), (37, 4, 42, 29, true),
                (37, 4, 43, 4, true), (37, 4, 44, 29, false), (37, 4, 46, 29, true), (37, 4, 47, 29, true),
                (61, 1, 62, 6, true), (59, 5, 63, 30, false), (58, 0, 63, 30, true),
            ];
            I(51, 2) from 65: [
                (37, 1, 37, 6, false), (37, 1, 38, 6, true), (35, 5, 39, 30, false), (40, 1, 41, 6, true),
                (40, 1, 42, 1, true), (44, 1, 45, 6, true), (44, 1, 47, 6, true), (44, 1, 49, 6, true),
                (44, 1, 51, 6, true), (44, 1, 52, 1, true),
            ];
            I(50, 2) from 65: [
                (36, 1, 37, 6, true), (39, 1, 40, 6, true), (39, 1, 41, 1, true), (43, 1, 44, 6, true),
                (43, 1, 46, 6, true), (43, 1, 48, 6, true), (43, 1, 50, 6, true), (43, 1, 51, 1, true),
            ];
            I(49, 2) from 58: [
                (35, 1, 36, 6, true), (38, 1, 39, 6, true), (38, 1, 40, 1, true), (42, 1, 43, 6, true),
                (42, 1, 45, 6, true), (42, 1, 47, 6, true), (42, 1, 49, 6, true), (42, 1, 50, 1, true),
            ];
            I(48, 2) from 58: [
                (37, 1, 38, 6, true), (41, 1, 42, 6, true), (41, 1, 44, 6, true), (41, 1, 46, 6, true),
                (41, 1, 48, 6, true), (41, 1, 49, 1, true), (63, 2, 64, 7, true),
            ];
            I(47, 2) from 58: [
                (36, 1, 37, 6, true), (40, 1, 41, 6, true), (40, 1, 43, 6, true), (40, 1, 45, 6, true),
                (40, 1, 47, 6, true), (40, 1, 48, 1, true), (62, 2, 63, 7, true),
            ];
            I(46, 2) from 58: [
                (35, 1, 36, 6, true), (39, 1, 40, 6, true), (39, 1, 42, 6, true), (39, 1, 44, 6, true),
                (39, 1, 46, 6, true), (39, 1, 47, 1, true), (61, 2, 62, 7, true),
            ];
            II(56, 0) from 65: [
                (38, 4, 40, 4, true), (38, 4, 40, 29, false), (38, 4, 41, 29, false), (38, 4, 42, 4, false),
                (38, 4, 43, 29, true), (44, 3, 48, 28, false), (44, 4, 48, 29, false), (47, 4, 49, 29, false),
                (47, 4, 50, 29, false), (47, 4, 51, 29, false), (52, 4, 54, 29, false), (52, 4, 55, 29, false),
                (52, 4, 56, 29, false), (60, 4, 64, 29, false),
            ];
            II(55, 0) from 65: [
                (37, 4, 39, 4, true), (37, 4, 40, 29, false), (37, 4, 41, 4, false), (37, 4, 42, 29, true),
                (43, 3, 47, 28, false), (43, 4, 47, 29, false), (46, 4, 48, 29, false), (46, 4, 49, 29, false),
                (46, 4, 50, 29, false), (51, 4, 53, 29, false), (51, 4, 54, 29, false), (51, 4, 55, 29, false),
                (59, 4, 63, 29, false), (57, 4, 59, 29, false),
            ];
            II(54, 0) from 65: [
                (53, 29, 54, 29, false), (52, 29, 54, 29, false), (50, 4, 54, 29, false), (48, 29, 49, 29, false),
                (47, 29, 49, 29, false), (45, 4, 49, 29, false), (42, 3, 46, 28, false), (42, 4, 46, 29, false),
                (40, 4, 41, 29, true), (38, 4, 41, 29, false), (36, 4, 41, 29, true), (58, 4, 62, 29, false),
                (58, 29, 59, 29, false), (56, 4, 59, 29, false),
            ];
            II(53, 0) from 65: [
                (37, 4, 39, 4, true), (37, 4, 40, 29, false), (41, 3, 45, 28, false), (41, 4, 45, 29, false),
                (44, 4, 46, 29, false), (44, 4, 47, 29, false), (44, 4, 48, 29, false), (49, 4, 51, 29, false),
                (49, 4, 52, 29, false), (49, 4, 53, 29, false), (58, 29, 61, 29, true), (57, 4, 61, 29, false),
                (57, 29, 61, 29, true), (55, 4, 61, 29, true),
            ];
            II(52, 0) from 65: [
                (36, 4, 38, 4, true), (39, 30, 40, 3, true), (39, 30, 44, 28, true), (40, 4, 44, 29, false),
                (43, 4, 45, 29, false), (43, 4, 46, 29, false), (43, 4, 47, 29, false), (48, 4, 50, 29, false),
                (48, 4, 51, 29, false), (48, 4, 52, 29, false), (59, 29, 60, 29, false), (57, 29, 60, 29, true),
                (56, 4, 60, 29, false), (56, 29, 60, 29, true), (54, 4, 60, 29, true),
            ];
            II(51, 0) from 65: [
                (38, 30, 39, 3, true), (38, 30, 43, 28, true), (39, 4, 43, 29, false), (42, 4, 44, 29, false),
                (42, 4, 45, 29, false), (42, 4, 46, 29, false), (47, 4, 49, 29, false), (47, 4, 50, 29, false),
                (47, 4, 51, 29, false), (58, 29, 59, 29, false), (56, 29, 59, 29, true), (55, 4, 59, 29, false),
                (55, 29, 59, 29, true), (53, 4, 59, 29, true),
            ];
            II(50, 0) from 65: [
                (37, 30, 38, 3, true), (37, 30, 42, 28, true), (38, 4, 42, 29, false), (41, 4, 43, 29, false),
                (41, 4, 44, 29, false), (41, 4, 45, 29, false), (46, 4, 48, 29, false), (46, 4, 49, 29, false),
                (46, 4, 50, 29, false), (57, 29, 58, 29, false), (55, 29, 58, 29, true), (54, 4, 58, 29, false),
                (54, 29, 58, 29, true), (52, 4, 58, 29, true),
            ];
            II(49, 0) from 58: [
                (36, 30, 37, 3, true), (36, 30, 41, 28, true), (37, 4, 41, 29, false), (40, 4, 42, 29, false),
                (40, 4, 43, 29, false), (40, 4, 44, 29, false), (45, 4, 47, 29, false), (45, 4, 48, 29, false),
                (45, 4, 49, 29, false), (56, 29, 57, 29, false), (54, 29, 57, 29, true), (53, 4, 57, 29, false),
                (53, 29, 57, 29, true), (51, 4, 57, 29, true),
            ];
            II(48, 0) from 58: [
                (35, 30, 36, 3, true), (35, 30, 40, 28, true), (36, 4, 40, 29, false), (39, 4, 41, 29, false),
                (39, 4, 42, 29, false), (39, 4, 43, 29, false), (44, 4, 46, 29, false), (44, 4, 47, 29, false),
                (44, 4, 48, 29, false), (55, 29, 56, 29, false), (53, 29, 56, 29, true), (52, 4, 56, 29, false),
                (52, 29, 56, 29, true), (50, 4, 56, 29, true), (63, 0, 64, 5, true),
            ];
            II(47, 0) from 58: [
                (35, 3, 39, 28, false), (35, 4, 39, 29, false), (38, 4, 40, 29, false), (38, 4, 41, 29, false),
                (38, 4, 42, 29, false), (43, 4, 45, 29, false), (43, 4, 46, 29, false), (43, 4, 47, 29, false),
                (54, 29, 55, 29, false), (52, 29, 55, 29, true), (51, 4, 55, 29, false), (51, 29, 55, 29, true),
                (49, 4, 55, 29, true), (62, 0, 63, 5, true),
            ];
            II(46, 0) from 58: [
                (37, 4, 40, 29, false), (37, 4, 41, 29, false), (42, 4, 44, 29, false), (42, 4, 45, 29, false),
                (42, 4, 46, 29, false), (53, 29, 54, 29, false), (51, 29, 54, 29, true), (50, 4, 54, 29, false),
                (50, 29, 54, 29, true), (48, 4, 54, 29, true), (61, 0, 62, 5, true),
            ];
            II(45, 0) from 58: [
                (36, 4, 40, 29, false), (41, 4, 43, 29, false), (41, 4, 44, 29, false), (41, 4, 45, 29, false),
                (52, 29, 53, 29, false), (50, 29, 53, 29, true), (49, 4, 53, 29, false), (49, 29, 53, 29, true),
                (47, 4, 53, 29, true), (63, 1, 64, 6, true), (60, 0, 61, 5, true),
            ];
            II(51, 2) from 65: [
                (38, 0, 39, 5, true), (41, 1, 42, 6, true), (41, 1, 43, 1, true), (38, 0, 43, 30, true),
                (46, 1, 47, 6, true), (46, 1, 48, 1, true), (55, 6, 56, 1, false), (53, 6, 56, 1, false),
                (52, 1, 56, 1, true),
            ];
            II(50, 2) from 65: [
                (37, 0, 38, 5, true), (40, 1, 41, 6, true), (40, 1, 42, 1, true), (37, 0, 42, 30, true),
                (45, 1, 46, 6, true), (45, 1, 47, 1, true), (54, 6, 55, 1, false), (52, 6, 55, 1, false),
                (51, 1, 55, 1, true),
            ];
            II(49, 2) from 58: [
                (36, 0, 37, 5, true), (39, 1, 40, 6, true), (39, 1, 41, 1, true), (36, 0, 41, 30, true),
                (44, 1, 45, 6, true), (44, 1, 46, 1, true), (53, 6, 54, 1, false), (51, 6, 54, 1, false),
                (50, 1, 54, 1, true),
            ];
            II(46, 2) from 58: [
                (36, 1, 37, 6, true), (41, 1, 42, 6, true), (41, 1, 43, 1, true), (50, 6, 51, 1, false),
                (48, 6, 51, 1, false), (47, 1, 51, 1, true), (61, 2, 62, 7, true),
            ];
        }
    };
}
pub(super) use each_vector;
