//! The causes of failed calls.

use core::ffi::{CStr, c_int};

/// Declares an enum of failure causes, each with a number and a description: one lower-case clause.
#[macro_export]
macro_rules! causes {
    (
        $(#[$attribute:meta])*
        pub enum $causes:ident: $number:ident {
            $($cause:ident = $value:literal, $text:literal;)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr($number)]
        pub enum $causes {
            $(#[doc = $text] $cause = $value,)*
        }

        impl $causes {
            /// Returns the description: one lower-case clause.
            pub const fn text(self) -> &'static core::ffi::CStr {
                match self {
                    $(Self::$cause => $crate::text(concat!($text, "\0")),)*
                }
            }

            /// Returns the cause with this number.
            #[allow(dead_code, reason = "not every table is asked")]
            pub fn of_number(number: $number) -> Option<Self> {
                match number {
                    $($value => Some(Self::$cause),)*
                    _ => None,
                }
            }
        }
    };
}

/// Converts a NUL-terminated string to a C string.
#[doc(hidden)]
pub const fn text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    }
}

causes! {
    /// Why a call failed. The numbers are the statuses of `lanesum.h`.
    pub enum Failure: i32 {
        Null = -1, "a required pointer is null, or a pointer to data whose length is not zero";
        Alignment = -2, "a pointer is not aligned for its type";
        Length = -3, "the output buffer is too small";
        Algorithm = -4, "no algorithm has that name or number";
        State = -5, "the context was never initialized, or is finished";
        Busy = -6, "another thread is using the context";
        Kernel = -7, "no such kernel can run here, or no allowed kernel has the algorithm: check the policy, or LANESUM_KERNEL and LANESUM_COSTS";
        Malformed = -8, "the exported state is invalid";
        Overlap = -9, "the output overlaps the input";
        Parameter = -10, "no iterations, a key longer than the function yields, a secret shorter than a digest, a start of a chain that is not as long as a digest, or a number of messages not from 1 to 32";
        Mismatch = -11, "the tag is not that of the message, or the proof leads to another root";
        Internal = -12, "internal error in liblanesum: please report it";
        TooLong = -13, "a length, or the sum of several, exceeds the address space";
        Offsets = -14, "an offset is less than the one before it, or past the end of the buffer";
        Stride = -15, "the stride is less than the length of a message";
        Detection = -16, "the detection has bits other than the LANESUM_SHA1DC_ constants";
        Tree = -17, "no tree has that number";
        TreeAlgorithm = -18, "the tree does not support the algorithm";
        LeafLength = -19, "the tree does not support leaves of that length";
        SaltLength = -20, "the tree does not support a salt of that length";
        MessageLength = -21, "the message is empty or not a whole number of leaves, which the tree requires";
        Entry = -22, "the log has no entry of that number, or was never of that count";
        ProofLength = -23, "the proof does not have the length that its log requires";
        RootLength = -24, "the root does not have the length of a digest";
        Memory = -25, "the memory for the entries of a log is exhausted";
    }
}

impl Failure {
    /// Returns the status for C callers.
    pub const fn status(self) -> c_int {
        self as c_int
    }
}
