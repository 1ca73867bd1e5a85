//! The limits of a kernel's machine code on a core: bounds of its chain, its units and the dispatch, and a simulation of
//! each further limit.

use std::collections::HashMap;
use std::fmt;

use lanesum_model::analyse::code_bounds;
use lanesum_model::code::{CodeOp, CodeTrace, OperandUse};
use lanesum_model::simulate::{CoreLimits, Pipes, Scheduler, pools};
use lanesum_model::{Bound, Constant, ConstantValue, Machine};
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
    /// The model of a machine lacks an operation.
    Lacking(String, String),
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fault(fault) => fault.fmt(f),
            Self::Unknown(text) => write!(f, "the models have no operation for `{text}`"),
            Self::Lacking(machine, op) => write!(f, "the model of `{machine}` lacks `{op}`"),
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<Fault> for SimulationError {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// The instructions that a kernel executes for a few blocks.
pub struct Trace {
    runs: [Vec<Executed>; 2],
    code: [CodeTrace; 2],
}

impl Trace {
    /// Executes `kernel`.
    ///
    /// # Errors
    ///
    /// If it violates the rules for kernels, or has an instruction that the models do not describe.
    pub fn of(kernel: &Binary<'_>) -> Result<Self, SimulationError> {
        let runs = [kernel.trace(BLOCKS[0])?, kernel.trace(BLOCKS[1])?];
        let code = [code(&runs[0])?, code(&runs[1])?];
        Ok(Self { runs, code })
    }

    /// The instructions of [`TRACED`] blocks in AT&T syntax, one per line, without the function's start and end.
    pub fn text(&self) -> String {
        let [fewer, more] = &self.runs;
        let (from, len) = (fewer.len() / 2, more.len() - fewer.len());
        more[from..from + len].iter().map(|executed| format!("{}\n", executed.text)).collect()
    }

    /// Returns the limits on `machine`.
    ///
    /// # Errors
    ///
    /// If the model of the machine lacks an operation of the kernel.
    pub fn on(&self, machine: &Machine) -> Result<Waterfall, SimulationError> {
        let [fewer, more] = &self.code;
        let units = &machine.units;
        let mut names = more.instructions().iter().flatten().map(|op| units.name(op.name));
        if let Some(unknown) = names.find(|name| !units.ops.contains_key(*name)) {
            return Err(SimulationError::Lacking(machine.name.clone(), unknown.to_owned()));
        }
        let bounds = code_bounds(&machine.stated(), [fewer, more], TRACED);
        let pools = pools(units);
        let cycles = |core: &CoreLimits, memory: bool| {
            let of = |code: &CodeTrace| {
                core.run(&code.on(units, &pools, memory)).last().copied().unwrap_or(0.0)
            };
            (of(more) - of(fewer)) / TRACED as f64
        };
        let buffer = |name: &str| machine.buffers.get(name).map(Constant::value);
        let wide = CoreLimits {
            issue: units.pools.get("issue").map_or(ISSUE, ConstantValue::value),
            retire: f64::INFINITY,
            reorder: WIDE,
            units: pools.iter().map(|(_, units)| *units).collect(),
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
        let bound = ["alu", "vector"].map(|pool| Pipes::of(pool, &pools, units));
        let bound = bound.into_iter().flatten().filter(|_| machine.bound).collect();
        let bound = CoreLimits { bound, ..limited.clone() };
        Ok(Waterfall {
            instructions: (more.instructions().len() - fewer.instructions().len()) as f64
                / TRACED as f64,
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

/// The operations of executed instructions, and their dependencies. A jump that is fused with the instruction before it
/// is not dispatched and occupies no unit.
fn code(run: &[Executed]) -> Result<CodeTrace, SimulationError> {
    let mut code = CodeTrace::default();
    let mut writers: HashMap<Resource, usize> = HashMap::new();
    // Stores by cache line, newest last.
    let mut stores: HashMap<i64, Vec<(Access, usize)>> = HashMap::new();
    let lines = |access: &Access| {
        access.offset.div_euclid(64)..=(access.offset + access.bytes as i64 - 1).div_euclid(64)
    };
    for executed in run.iter().filter(|executed| !executed.is_fused) {
        let name =
            operation(executed).ok_or_else(|| SimulationError::Unknown(executed.text.clone()))?;
        let bits = 8 * executed.vector_bytes as u32;
        let memory = |access: Access, general, vector, after| CodeOp {
            name: if bits == 0 { general } else { vector },
            // A scalar or 128-bit element of a wider operation.
            bits: if bits == 0 { 0 } else { (8 * access.bytes as u32).max(128) },
            is_copy: false,
            after,
        };
        let mut operations = Vec::new();
        let here = code.operations();
        let reads = executed.reads.iter();
        let mut after: Vec<(usize, OperandUse)> = reads
            .filter_map(|(i, from)| Some((*writers.get(from)?, OperandUse::Operand(*i))))
            .collect();
        let address = executed.addressed_by.iter();
        let address: Vec<(usize, OperandUse)> =
            address.filter_map(|from| Some((*writers.get(from)?, OperandUse::AtStart))).collect();
        if let Some(loaded) = executed.loads {
            let mut after_load = address.clone();
            for line in lines(&loaded) {
                let newest = stores.get(&line).into_iter().flatten().rev();
                let store = newest.clone().find(|(store, _)| loaded.overlaps(store));
                after_load.extend(store.map(|store| (store.1, OperandUse::Stored)));
            }
            operations.push(memory(loaded, "load", "vload", after_load));
            after.push((here, OperandUse::Operand(executed.memory_operand)));
        } else if executed.stores.is_none() {
            after.extend(&address);
        }
        if !name.is_empty() {
            let after = std::mem::take(&mut after);
            operations.push(CodeOp { name, bits, is_copy: executed.is_copy(), after });
        }
        let result = (here + operations.len()).checked_sub(1).filter(|&last| last >= here);
        for &resource in &executed.writes {
            match result {
                Some(result) => writers.insert(resource, result),
                None => writers.remove(&resource),
            };
        }
        if let Some(stored) = executed.stores {
            let result =
                result.filter(|_| !name.is_empty()).map(|from| (from, OperandUse::AtStart));
            after.extend(result.into_iter().chain(address));
            operations.push(memory(stored, "store", "vstore", after));
            let last = here + operations.len() - 1;
            for line in lines(&stored) {
                stores.entry(line).or_default().push((stored, last));
            }
        }
        code.push(operations);
    }
    Ok(code)
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
        M::Lea if executed.addends > 2 => "lea3",
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
