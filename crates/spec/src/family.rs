//! The list of compression functions, and a macro that generates code for each of them.

use crate::{Algorithm, Compression, Int};

/// The list of families: calls the macro `$callback` with the remaining arguments, followed by the
/// families with 32-bit words and those with 64-bit words. Each is `name: path`, the path to its
/// [`Compression`] in this crate.
///
/// [`Family`] and the kernels that interpret the specification are generated from this list.
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

/// [`each_family!`], but only of the families that FIPS 180-4 specifies.
#[doc(hidden)]
#[macro_export]
macro_rules! each_fips_family {
    ($($callback:ident)::+ $(, $($given:tt)*)?) => {
        $($callback)::+! { $($($given)*)?
            W32 {
                sha1: sha1::Sha1,
                sha256: sha2::Sha256,
            }
            W64 {
                sha512: sha2::Sha512,
            }
        }
    };
}

macro_rules! families {
    ($($word:ident { $($name:ident: $module:ident::$family:ident,)* })*) => {
        /// A compression function, by name. Algorithms of a family differ only in IV and digest
        /// length.
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

        /// Compresses one block into a chaining value, whose words are in the low bits.
        ///
        /// # Panics
        ///
        /// If `block` does not have the block length of the family.
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
    /// Returns the name, which is also that of [`algorithm`](Self::algorithm): `sha256`.
    #[inline]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the algorithm of the same name, whose digest is the whole chaining value.
    pub const fn algorithm(self) -> Algorithm {
        Algorithm::whole(self)
    }

    /// Returns the width of a word, in bits: 32 or 64.
    #[inline]
    pub const fn word_bits(self) -> u32 {
        self.facts().word_bits
    }

    /// Returns the length of a block, sixteen words, in bytes.
    #[inline]
    pub const fn block_len(self) -> usize {
        self.word_bits() as usize * 2
    }

    /// Returns the length of the length field at the end of the padding, in bytes.
    #[inline]
    pub const fn length_len(self) -> usize {
        self.word_bits() as usize / 4
    }

    /// Returns the length of the chaining value, in words.
    #[inline]
    pub const fn state_words(self) -> usize {
        self.facts().state_words
    }

    /// Whether words are big-endian in blocks, digests and the length field.
    #[inline]
    pub const fn is_big_endian(self) -> bool {
        self.facts().is_big_endian
    }

    /// Whether FIPS 180-4 specifies it: SHA-1 and SHA-2.
    #[inline]
    pub const fn is_fips(self) -> bool {
        self.facts().is_fips
    }

    /// Returns the number of words of an expanded block ([`Compression::EXPANDED`]).
    pub const fn expanded_words(self) -> usize {
        self.facts().expanded_words
    }

    /// Returns the number of rounds ([`Compression::ROUNDS`]).
    #[inline]
    pub const fn rounds(self) -> usize {
        self.facts().rounds
    }

    /// Returns the first bytes of the published digest of "abc" ([`Compression::ABC`]).
    pub const fn abc(self) -> [u8; 4] {
        self.facts().abc
    }
}

/// The constants of a compression function.
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

// Every family must have an algorithm in the table.
const _: () = {
    let mut i = 0;
    while i < Family::ALL.len() {
        Family::ALL[i].algorithm();
        i += 1;
    }
};
