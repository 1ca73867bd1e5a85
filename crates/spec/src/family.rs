//! The list of compression functions. A macro makes of it whatever exists once for each of
//! them.

use crate::{Algorithm, Compression, Int};

/// The one list of families: calls the macro `$callback` with what else it is given and then
/// with the families of words of 32 bits and with those of 64, each as `name: path`, the path
/// being that of its [`Compression`] in this crate.
///
/// [`Family`] is made of it, and so are the kernels that the specification is read for.
#[doc(hidden)]
#[macro_export]
macro_rules! each_family {
    ($($callback:ident)::+ $(, $($given:tt)*)?) => {
        $($callback)::+! { $($($given)*)?
            W32 {
                md5: md5::Md5,
                ripemd160: ripemd160::Ripemd160,
                sha1: sha1::Sha1,
                sha256: sha2::Sha256,
                sm3: sm3::Sm3,
            }
            W64 {
                sha512: sha2::Sha512,
            }
        }
    };
}

macro_rules! families {
    ($($word:ident { $($name:ident: $module:ident::$family:ident,)* })*) => {
        /// A compression function, by name: what algorithms that differ in their IV and
        /// digest length alone have in common.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Family {
            $($(
                #[doc = concat!("[`", stringify!($module), "::", stringify!($family), "`](crate::", stringify!($module), "::", stringify!($family), ").")]
                $family,
            )*)*
        }

        impl Family {
            /// Every family.
            pub const ALL: [Self; [$($(Self::$family),*),*].len()] = [$($(Self::$family),*),*];

            #[inline]
            const fn facts(self) -> Facts {
                match self {
                    $($(Self::$family => {
                        Facts::of::<crate::$module::$family, _>(stringify!($name))
                    })*)*
                }
            }
        }

        /// One block into one chaining value, whose words are in the low bits.
        ///
        /// # Panics
        ///
        /// If `block` is not a block of the family.
        pub fn compress(family: Family, state: &mut [u64; 8], block: &[u8]) {
            match family {
                $($(Family::$family => {
                    crate::reference::compress_as::<crate::$module::$family, _>(state, block)
                })*)*
            }
        }
    };
}
each_family!(families);

impl Family {
    /// The name, which is that of [`algorithm`](Self::algorithm): `sha256`.
    #[inline]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The algorithm whose digest is the whole chaining value, which has the same name.
    pub const fn algorithm(self) -> Algorithm {
        Algorithm::whole(self)
    }

    /// The width of a word, in bits: 32 or 64.
    #[inline]
    pub const fn word_bits(self) -> u32 {
        self.facts().word_bits
    }

    /// The length of a block: sixteen words, in bytes.
    #[inline]
    pub const fn block_len(self) -> usize {
        self.word_bits() as usize * 2
    }

    /// The length of the field at the end of the padding that holds the
    /// message's length, in bytes.
    #[inline]
    pub const fn length_len(self) -> usize {
        self.word_bits() as usize / 4
    }

    /// The length of the chaining value, in words.
    #[inline]
    pub const fn state_words(self) -> usize {
        self.facts().state_words
    }

    /// Whether words are big-endian in blocks, digests and the length field.
    #[inline]
    pub const fn is_big_endian(self) -> bool {
        self.facts().is_big_endian
    }

    /// Whether FIPS 180-4 has it: SHA-1 and SHA-2.
    #[inline]
    pub const fn is_fips(self) -> bool {
        self.facts().is_fips
    }

    /// How many words an expanded block is ([`Compression::EXPANDED`]).
    pub const fn expanded_words(self) -> usize {
        self.facts().expanded_words
    }

    /// How many rounds it has ([`Compression::ROUNDS`]).
    #[inline]
    pub const fn rounds(self) -> usize {
        self.facts().rounds
    }

    /// How the published digest of "abc" begins ([`Compression::ABC`]).
    pub const fn abc(self) -> [u8; 4] {
        self.facts().abc
    }
}

/// What a compression function says of itself.
struct Facts {
    name: &'static str,
    word_bits: u32,
    state_words: usize,
    is_big_endian: bool,
    is_fips: bool,
    expanded_words: usize,
    rounds: usize,
    abc: [u8; 4],
}

impl Facts {
    #[inline]
    const fn of<C: Compression<N>, const N: usize>(name: &'static str) -> Self {
        Self {
            name,
            word_bits: C::Int::BITS,
            state_words: N,
            is_big_endian: C::BIG_ENDIAN,
            is_fips: C::FIPS,
            expanded_words: C::EXPANDED,
            rounds: C::ROUNDS,
            abc: C::ABC,
        }
    }
}

// Every family has its line in the table of algorithms.
const _: () = {
    let mut i = 0;
    while i < Family::ALL.len() {
        Family::ALL[i].algorithm();
        i += 1;
    }
};
