//! The limits of a kernel's machine code on a core: bounds of its chain, its units and the dispatch, and a simulation of
//! each further limit.

use std::collections::HashMap;
use std::fmt;

use lanesum_model::analyse::{CodeCost, code_bounds};
use lanesum_model::simulate::{CoreLimits, MicroOp, MicroProgram, Pipes, Queue, Scheduler, pools};
use lanesum_model::{Bound, Constant, ConstantValue, Machine, Units};
use lanesum_prove::{Access, Binary, Executed, Fault, Mnemonic, Resource};

/// The blocks of the two executions whose difference is the time of a block: even numbers, because some kernels
/// compress two blocks per iteration.
const BLOCKS: [usize; 2] = [2, 6];

/// The blocks of [`Trace::text`].
pub const TRACED: usize = BLOCKS[1] - BLOCKS[0];

/// The instructions that wait, if only units and dispatch are limited.
const WIDE: usize = 2048;

/// The dispatch width if a machine's is unknown.
const ISSUE: f64 = 4.0;

/// The limits of a kernel on a machine, in cycles per block of every lane.
#[derive(Clone, Debug, PartialEq)]
pub struct Waterfall {
    /// Instructions per block.
    pub instructions: f64,
    /// The longest chain through the instructions from block to block.
    pub chain: Bound,
    /// The busiest pool of units and its time.
    pub ports: (String, Bound),
    /// The time to dispatch all instructions.
    pub dispatch: Bound,
    /// Simulated cycles: a core with these units and this dispatch whose waiting instructions are not limited, loads
    /// and stores that take no time; ...
    pub order: f64,
    /// ... with its schedulers and reorder buffer; ...
    pub window: f64,
    /// ... with the latency and units of loads and stores; ...
    pub memory: f64,
    /// ... and with operations that are bound to an ALU at dispatch, if the machine does that.
    pub binding: f64,
}

/// An instruction that the simulator does not know.
#[derive(Debug)]
pub enum SimulationError {
    /// The kernel cannot be executed.
    Fault(Fault),
    /// An instruction has no operation in the machines' models.
    Unknown(String),
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Unknown(text) => write!(f, "the models have no operation for `{text}`"),
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<Fault> for SimulationError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The instructions that a kernel executes for a few blocks, with their operations.
pub struct Trace {
    runs: [Vec<(Executed, Option<&'static str>)>; 2],
}

impl Trace {
    /// Executes `kernel`.
    ///
    /// # Errors
    ///
    /// If it violates the rules for kernels, or has an instruction that the models do not describe.
    pub fn of(kernel: &Binary<'_>) -> Result<Self, SimulationError> {
        let run = |blocks| {
            let all = kernel.trace(blocks)?.into_iter();
            let named = all.map(|executed| {
                let op = operation(&executed)
                    .ok_or_else(|| SimulationError::Unknown(executed.text.clone()))?;
                Ok((executed, Some(op).filter(|op| !op.is_empty())))
            });
            named.collect::<Result<Vec<_>, SimulationError>>()
        };
        Ok(Self { runs: [run(BLOCKS[0])?, run(BLOCKS[1])?] })
    }

    /// The instructions of [`TRACED`] blocks in AT&T syntax, one per line, without the function's start and end.
    pub fn text(&self) -> String {
        let [fewer, more] = &self.runs;
        let (from, len) = (fewer.len() / 2, more.len() - fewer.len());
        more[from..from + len].iter().map(|(executed, _)| format!("{}\n", executed.text)).collect()
    }

    /// Returns the limits on `machine`.
    ///
    /// # Errors
    ///
    /// If the model of the machine lacks an operation of the kernel.
    pub fn on(&self, machine: &Machine) -> Result<Waterfall, SimulationError> {
        let blocks = TRACED as f64;
        let mut runs = self.runs.clone();
        for (executed, op) in runs.iter_mut().flatten() {
            // Models without `andn` execute it like other logic.
            let known = |op: &&str| machine.units.ops.contains_key(*op);
            *op = match *op {
                Some("andn") if !known(&"andn") => Some("logic"),
                Some(op) if !known(&op) => {
                    return Err(SimulationError::Unknown(executed.text.clone()));
                }
                op => op,
            };
        }
        let [fewer, more] = &runs;
        let mut cost = CodeCost::default();
        for (run, sign) in [(more, 1.0), (fewer, -1.0)] {
            for (executed, op) in run {
                cost.instructions += if executed.is_fused { 0.0 } else { sign / blocks };
                for (op, bits) in units_of(executed, *op) {
                    *cost.counts.entry((op, bits)).or_default() += sign / blocks;
                }
            }
        }
        let stated = machine.stated();
        let chain = |run: &[(Executed, Option<&'static str>)]| {
            let program = program(run, &stated, &[], false);
            program.chains().last().copied().unwrap_or(0.0)
        };
        let chain = (chain(more) - chain(fewer)) / blocks;
        let bounds = code_bounds(&stated, &cost, chain);
        let predicted = &machine.units;
        let pools = pools(predicted);
        let cycles = |core: &CoreLimits, memory: bool| {
            let of = |run: &[_]| {
                let after = core.run(&program(run, predicted, &pools, memory));
                after.last().copied().unwrap_or(0.0)
            };
            (of(more) - of(fewer)) / blocks
        };
        let buffer = |name: &str| machine.buffers.get(name).map(Constant::value);
        let units: Vec<f64> = pools.iter().map(|(_, units)| *units).collect();
        let issue = predicted.pools.get("issue").map_or(ISSUE, ConstantValue::value);
        let wide = CoreLimits {
            issue,
            retire: f64::INFINITY,
            reorder: WIDE,
            units: units.clone(),
            general: Scheduler::UNLIMITED,
            vector: None,
            bound: Vec::new(),
        };
        let entries = |entries: f64, queue: f64| Scheduler {
            entries: entries as usize,
            queue: queue as usize,
        };
        let limited = CoreLimits {
            retire: buffer("retire").unwrap_or(f64::INFINITY),
            reorder: buffer("reorder").map_or(WIDE, |entries| entries as usize),
            general: entries(machine.window.value(), 0.0),
            vector: buffer("vector_window")
                .map(|window| entries(window, buffer("vector_queue").unwrap_or(0.0))),
            ..wide.clone()
        };
        let bound = ["alu", "vector"].map(|pool| Pipes::of(pool, &pools, predicted));
        let bound = bound.into_iter().flatten().filter(|_| machine.bound).collect();
        let bound = CoreLimits { bound, ..limited.clone() };
        Ok(Waterfall {
            instructions: cost.instructions,
            chain: bounds.chain,
            ports: bounds.ports,
            dispatch: bounds.dispatch,
            order: cycles(&wide, false),
            window: cycles(&limited, false),
            memory: cycles(&limited, true),
            binding: cycles(&bound, true),
        })
    }
}

/// The operations that occupy units for an instruction, with the bits of their registers (0: general registers).
fn units_of(executed: &Executed, op: Option<&'static str>) -> Vec<(&'static str, u32)> {
    let bits = 8 * executed.vector_bytes as u32;
    let memory = |access: Option<Access>, general, vector| {
        let op = if bits == 0 { general } else { vector };
        // A scalar or 128-bit element of a wider operation.
        access.map(|access| (op, if bits == 0 { 0 } else { (8 * access.bytes as u32).max(128) }))
    };
    let loads = memory(executed.loads, "load", "vload");
    let stores = memory(executed.stores, "store", "vstore");
    loads.into_iter().chain(op.map(|op| (op, bits))).chain(stores).collect()
}

/// A program for the simulator. Without `memory`, loads and stores take no time and no units.
fn program<C: ConstantValue>(
    run: &[(Executed, Option<&'static str>)],
    units: &Units<C>,
    pools: &[(&str, f64)],
    memory: bool,
) -> MicroProgram {
    let mut program = MicroProgram::default();
    let mut writers: HashMap<Resource, usize> = HashMap::new();
    // Stores by cache line, newest last.
    let mut stores: HashMap<i64, Vec<(Access, usize)>> = HashMap::new();
    let lines = |access: &Access| {
        access.offset.div_euclid(64)..=(access.offset + access.bytes as i64 - 1).div_euclid(64)
    };
    let takes = |op: &str, bits: u32| -> Vec<(usize, f64)> {
        let Some(found) = units.ops.get(op) else { return Vec::new() };
        let used = found.uses.iter().filter_map(|(pool, cycles)| {
            let at = pools.iter().position(|(name, _)| name == pool)?;
            // A wider register occupies more of the same units.
            let width = units.pool(pool, bits).map_or(pools[at].1, ConstantValue::value);
            Some((at, cycles.value() * pools[at].1 / width))
        });
        used.collect()
    };
    let access = |after: Vec<(usize, f64)>, (op, bits): (&str, u32)| MicroOp {
        after,
        latency: if memory { units.latency(op) } else { 0.0 },
        takes: if memory { takes(op, bits) } else { Vec::new() },
        queue: Queue::Unlimited,
    };
    for (executed, op) in run {
        let mut operations = Vec::new();
        let here = program.operations().len();
        let bits = 8 * executed.vector_bytes as u32;
        // An operand with a shorter latency than others is needed later.
        let late = |operand: usize| {
            op.map_or(0.0, |op| units.latency(op) - units.latency_from(op, operand))
        };
        let reads = executed.reads.iter();
        let mut after: Vec<(usize, f64)> = reads
            .filter_map(|(operand, from)| Some((*writers.get(from)?, late(*operand))))
            .collect();
        let address = executed.addressed_by.iter();
        let address: Vec<(usize, f64)> =
            address.filter_map(|from| Some((*writers.get(from)?, 0.0))).collect();
        let mut parts = units_of(executed, *op).into_iter();
        if let Some(loaded) = executed.loads {
            let part = parts.next().expect("a load occupies units");
            let mut after_load = address.clone();
            for line in lines(&loaded) {
                let newest = stores.get(&line).into_iter().flatten().rev();
                let store = newest.clone().find(|(store, _)| loaded.overlaps(store));
                after_load.extend(store.map(|store| (store.1, 0.0)));
            }
            operations.push(access(after_load, part));
            after.push((here, late(executed.memory_operand)));
        } else if executed.stores.is_none() {
            after.extend(&address);
        }
        if let Some(op) = op {
            let (_, width) = parts.next().expect("an operation occupies units");
            let is_eliminated = executed.is_copy() && units.latency(op) == 0.0;
            operations.push(MicroOp {
                after: std::mem::take(&mut after),
                latency: latency(units, executed, op),
                takes: if is_eliminated { Vec::new() } else { takes(op, width) },
                queue: match bits {
                    _ if is_eliminated => Queue::Unlimited,
                    0 => Queue::General,
                    _ => Queue::Vector,
                },
            });
            after.push((here + operations.len() - 1, 0.0));
        }
        let result = here + operations.len().saturating_sub(1);
        if !operations.is_empty() {
            executed.writes.iter().for_each(|&resource| {
                writers.insert(resource, result);
            });
        } else {
            executed.writes.iter().for_each(|resource| {
                writers.remove(resource);
            });
        }
        if let Some(stored) = executed.stores {
            let part = parts.next().expect("a store occupies units");
            after.extend(address);
            operations.push(access(after, part));
            let last = here + operations.len() - 1;
            for line in lines(&stored) {
                stores.entry(line).or_default().push((stored, last));
            }
        }
        program.push(operations);
    }
    program
}

/// The latency of an operation: the maximum over its operands.
fn latency<C: ConstantValue>(units: &Units<C>, executed: &Executed, op: &str) -> f64 {
    // An address of several terms takes another cycle on some cores.
    let op = match op {
        "lea" if executed.addends > 2 && units.ops.contains_key("lea3") => "lea3",
        op => op,
    };
    units.latency(op)
}

/// The operation of an instruction in the models, apart from its loads and stores. Empty for a plain load or store;
/// `None` for an unknown instruction.
fn operation(executed: &Executed) -> Option<&'static str> {
    use Mnemonic as M;
    let vector = executed.vector_bytes > 0;
    let memory = executed.loads.is_some() || executed.stores.is_some();
    Some(match executed.mnemonic {
        _ if executed.is_zero() => "",
        M::Nop | M::Endbr64 | M::Vzeroupper => "",
        M::Push | M::Pop | M::Call | M::Ret => "",
        _ if executed.is_copy() && memory => "",
        M::Movzx | M::Movsxd if memory => "",
        M::Vpbroadcastd
        | M::Vpbroadcastq
        | M::Vbroadcastss
        | M::Vbroadcastsd
        | M::Movddup
        | M::Vmovddup
        | M::Vbroadcasti128
        | M::Movss
        | M::Movsd
        | M::Vmovss
        | M::Vmovsd
            if memory =>
        {
            ""
        }
        M::Movbe => "swap",
        M::Mov | M::Movzx | M::Movsxd if !vector => "mov",
        M::Lea => "lea",
        M::Add
        | M::Sub
        | M::Cmp
        | M::Inc
        | M::Dec
        | M::Adc
        | M::Sbb
        | M::Neg
        | M::Jmp
        | M::Je
        | M::Jne
        | M::Jb
        | M::Jbe
        | M::Ja
        | M::Jae
        | M::Jl
        | M::Jle
        | M::Jg
        | M::Jge
        | M::Js
        | M::Jns
        | M::Imul
        | M::Mul
        | M::Sete
        | M::Setne
        | M::Setb
        | M::Setae => "add",
        M::And
        | M::Or
        | M::Xor
        | M::Not
        | M::Test
        | M::Cmove
        | M::Cmovne
        | M::Cmovb
        | M::Cmovae
        | M::Cmova
        | M::Cmovbe => "logic",
        M::Andn => "andn",
        M::Rorx | M::Ror | M::Rol => "rotate",
        M::Shr | M::Shl | M::Sar | M::Shld | M::Shrd | M::Shrx | M::Shlx => "shift",
        M::Bswap => "swap",
        M::Movd | M::Movq | M::Vmovd | M::Vmovq => "vshuffle",
        _ if executed.is_copy() => "vmov",
        M::Paddd
        | M::Paddq
        | M::Paddw
        | M::Psubd
        | M::Vpaddd
        | M::Vpaddq
        | M::Vpaddw
        | M::Vpsubd
        | M::Vpsubq
        | M::Pcmpeqd
        | M::Vpcmpeqd
        | M::Vpcmpeqb => "vadd",
        M::Kmovd | M::Kmovw => "vshuffle",
        M::Pxor
        | M::Por
        | M::Pand
        | M::Pandn
        | M::Xorps
        | M::Andps
        | M::Orps
        | M::Andnps
        | M::Vpxor
        | M::Vpor
        | M::Vpand
        | M::Vpandn
        | M::Vpxord
        | M::Vpxorq
        | M::Vpord
        | M::Vporq
        | M::Vpandd
        | M::Vpandq
        | M::Vpandnd
        | M::Vpandnq
        | M::Vxorps
        | M::Vxorpd
        | M::Vandps
        | M::Vorps
        | M::Vandnps
        | M::Pblendw
        | M::Vpblendd
        | M::Vpblendw
        | M::Vblendps => "vlogic",
        M::Vpternlogd | M::Vpternlogq => "vternary",
        M::Vprold | M::Vprolq | M::Vprord | M::Vprorq => "vrotate",
        M::Psrld
        | M::Psrlq
        | M::Psrlw
        | M::Pslld
        | M::Psllq
        | M::Psllw
        | M::Vpsrld
        | M::Vpsrlq
        | M::Vpsrlw
        | M::Vpslld
        | M::Vpsllq
        | M::Vpsllw => "vshift",
        M::Punpckldq
        | M::Punpckhdq
        | M::Punpcklqdq
        | M::Punpckhqdq
        | M::Vpunpckldq
        | M::Vpunpckhdq
        | M::Vpunpcklqdq
        | M::Vpunpckhqdq
        | M::Unpcklps
        | M::Unpckhps
        | M::Unpcklpd
        | M::Unpckhpd
        | M::Vunpcklps
        | M::Vunpckhps
        | M::Vunpcklpd
        | M::Vunpckhpd => "vunpack",
        M::Pshufb
        | M::Pshufd
        | M::Pshuflw
        | M::Pshufhw
        | M::Palignr
        | M::Pslldq
        | M::Psrldq
        | M::Pinsrd
        | M::Pinsrq
        | M::Pextrd
        | M::Pextrq
        | M::Shufps
        | M::Shufpd
        | M::Movlhps
        | M::Movhlps
        | M::Movsd
        | M::Movss
        | M::Vmovsd
        | M::Vmovss
        | M::Vpshufb
        | M::Vpshufd
        | M::Vpalignr
        | M::Vpslldq
        | M::Vpsrldq
        | M::Vpinsrd
        | M::Vpinsrq
        | M::Vpextrd
        | M::Vpextrq
        | M::Vinserti128
        | M::Vextracti128
        | M::Vperm2i128
        | M::Vperm2f128
        | M::Vinsertf128
        | M::Vextractf128
        | M::Vinserti32x4
        | M::Vinserti64x4
        | M::Vextracti64x4
        | M::Vextracti32x4
        | M::Vshufi64x2
        | M::Vshufi32x4
        | M::Valignd
        | M::Valignq
        | M::Vpermq
        | M::Vpermd
        | M::Vpermi2d
        | M::Vpermt2d
        | M::Vpermi2q
        | M::Vpermt2q
        | M::Vpbroadcastd
        | M::Vpbroadcastq
        | M::Vbroadcastss
        | M::Vbroadcastsd
        | M::Vshufps
        | M::Vshufpd
        | M::Vmovlhps
        | M::Vmovhlps
        | M::Movddup
        | M::Vmovddup
        | M::Extractps
        | M::Vextractps
        | M::Vpshuflw
        | M::Vpshufhw => "vshuffle",
        M::Sha1rnds4 => "sha1rnds4",
        M::Sha1nexte => "sha1nexte",
        M::Sha1msg1 => "sha1msg1",
        M::Sha1msg2 => "sha1msg2",
        M::Sha256rnds2 => "sha256rnds2",
        M::Sha256msg1 => "sha256msg1",
        M::Sha256msg2 => "sha256msg2",
        _ => return None,
    })
}
