//! The reasons why a call did nothing.

use core::ffi::{CStr, c_int};

/// Declares a table of what can go wrong: each cause with its number where it is told, and what it
/// means, one lower-case clause for a person.
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
            /// What it means: one lower-case clause for a person.
            pub const fn text(self) -> &'static core::ffi::CStr {
                match self {
                    $(Self::$cause => $crate::text(concat!($text, "\0")),)*
                }
            }

            /// The cause of this number.
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

/// The text, which ends with a zero, for C.
#[doc(hidden)]
pub const fn text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    }
}

causes! {
    /// Why a call did nothing. The numbers are the statuses of `lanesum.h`.
    pub enum Failure: i32 {
        Null = -1, "a pointer is null and what it points to is not empty";
        Alignment = -2, "a pointer is not aligned as its type has to be";
        Length = -3, "the room is too small for what goes there, or a length is more than memory has";
        Algorithm = -4, "no algorithm has that name or number";
        State = -5, "the context was never initialised, or is finished";
        Busy = -6, "another thread is using the context";
        Kernel = -7, "no kernel of that name can run here, or none that may run has the algorithm";
        Malformed = -8, "offsets go backwards or past the end, messages overlap, the state is no exported one, or there is no such tree or proof";
        Overlap = -9, "what is read and what is written overlap";
        Parameter = -10, "no iterations, a key longer than the function gives, or a secret shorter than a digest";
        Mismatch = -11, "the tag is not that of the message, or the proof leads to another root";
        Internal = -12, "liblanesum broke a promise of its own: please report it";
    }
}

impl Failure {
    /// The status that a C caller gets.
    pub const fn status(self) -> c_int {
        self as c_int
    }
}
