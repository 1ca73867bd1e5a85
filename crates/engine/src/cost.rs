//! What a batch gives, and when to make one. Documentation alone: there is
//! nothing to call here.
//!
//! # What a message costs
//!
//! A message of n bytes is ⌊(n + 8) / 64⌋ + 1 blocks of 64 bytes (SHA-1, SHA-224,
//! SHA-256), or ⌊(n + 16) / 128⌋ + 1 of 128 (SHA-384, SHA-512, SHA-512/t): the last
//! block holds the padding, so that 55 bytes are one block and 64 bytes two. Blocks
//! of one message wait for each other, and one message alone leaves most of a core
//! idle. Blocks of different messages do not, and a kernel takes one of each of its
//! lanes in little more time than the slowest of them needs alone.
//!
//! A kernel's cost does not depend on how many of its lanes hold a message. So the
//! cost of a batch is that of the cheapest kernels that cover it, whatever widths
//! these have: [`Policy::choice`](crate::Policy::choice) says which comes first. What
//! is saved by one message more is all or nothing where a wider kernel takes over.
//!
//! # A batch of 1, 2, 8, 100
//!
//! With AVX-512 and the SHA instructions (the kernels' own times are in
//! `benches/record`; on another CPU the steps lie elsewhere, and their order is the
//! same):
//!
//! | messages | SHA-256 | SHA-512 |
//! |---|---|---|
//! | 1 | as [`hash`](crate::hash), and a fixed part more: not worth a batch | the same |
//! | 2 | a pair on the SHA instructions: about two thirds of the time one after the other | one kernel of eight lanes: the time of less than two messages |
//! | 3 to 7 | pairs, and what is left alone | the same kernel: the others are free |
//! | 8 to 16 | one kernel of sixteen lanes: each message more is free | one kernel of eight or two groups of them |
//! | 17 to 32 | sixteen lanes and pairs, then two groups of sixteen lanes | two groups of eight lanes, twice |
//! | 100 | three times 32 lanes, and four more: a quarter of the time one after the other, or less | six times 16 lanes, and four more |
//!
//! The fixed part of a call (finding the kernels, clearing a little of the stack) is
//! less than the time of two blocks. It is why one message belongs into
//! [`hash`](crate::hash) and not into a batch of one.
//!
//! # Lengths
//!
//! Lanes that end together waste nothing. A batch is put in order by length, a
//! thousand messages at a time, so give [`hash_many`](crate::hash_many) all that there
//! is, and not in portions of 32. Messages that are alike in length to a few blocks
//! are taken in groups from the first block to the digest; others, and those over
//! 256 blocks, refill each lane when its message ends, which costs about as much as a
//! block for each message.
//!
//! Messages of one length are the cheapest ([`Rows`](crate::Rows)): where a block of
//! padding alone follows them (32-bit words: lengths from 56 to 64, 120 to 128 and so
//! on) it is expanded once for all of them, and costs two thirds of a block.
//!
//! # Keys
//!
//! HMAC of many messages ([`HmacKey::mac_many`](crate::HmacKey::mac_many),
//! [`mac_each`](crate::mac_each)) costs one block more than the hash of the same
//! messages: the second hash takes the digest of the first where it is, in its lane.
//! Making a key costs two blocks; keep it. PBKDF2 of one password is a chain of two
//! blocks an iteration, and no batch helps it; passwords, and blocks of output of
//! one, go into lanes.
//!
//! # When not to
//!
//! - One message at a time arrives, and must be answered at once: [`hash`](crate::hash).
//! - Messages arrive in pieces, many at a time: [`Lanes`](crate::Lanes).
//! - Messages are not in memory: `lanesum-files` reads files into lanes.
//! - Copying messages together costs more than it saves; [`Messages`](crate::Messages)
//!   is a trait so that none has to be moved.
