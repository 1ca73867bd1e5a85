//! Tests of the graph, its proofs, its kernels and its hardware. They form one program, because
//! each program would link the whole crate and its dependencies.

mod analyse;
mod attack;
mod attack_files;
mod binary;
mod binary_cpu;
mod c_abi;
mod claims;
mod cli;
mod common;
mod fit;
mod flipped_cpu;
mod hardware;
mod hostile;
mod hostile_claims;
mod hostile_ends;
mod hostile_files;
mod hostile_loader;
mod hostile_parts;
mod hostile_places;
mod hostile_stack;
mod hostile_unread;
mod kernels;
mod linux;
mod mca;
mod mutants;
mod names;
mod record;
mod refused;
mod rewrite;
mod rtl;
mod rules;
mod search;
mod steps;
mod stitch;
mod trace;
