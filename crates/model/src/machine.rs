//! Machines: their constants by origin, and the views of them from which bounds and predictions are computed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Deserialize;

use crate::constant::{Constant, ConstantSource, ConstantValue, Stated};
use crate::{Llvm, ModelError, unknown};

/// The constants of a core.
#[derive(Clone, Debug, PartialEq)]
pub struct Units<C> {
    /// The units of each pool: operations per cycle. `issue` counts every instruction.
    pub pools: BTreeMap<String, C>,
    /// The pools that differ for vectors, by their number of bits.
    pub widths: BTreeMap<String, BTreeMap<String, C>>,
    /// The operations.
    pub ops: BTreeMap<String, MachineOperation<C>>,
}

/// The constants of an operation.
#[derive(Clone, Debug, PartialEq)]
pub struct MachineOperation<C> {
    /// The latency in cycles, if it is known.
    pub latency: Option<C>,
    /// The latency from each operand, the overwritten one first, if it depends on the operand.
    pub from: Vec<C>,
    /// The cycles for which it occupies a unit of each pool.
    pub uses: BTreeMap<String, C>,
}

impl<C: ConstantValue> Units<C> {
    /// The units of `pool` for vectors of `bits` bits (0: general registers). A pool has no more units for
    /// vectors than for general registers, so the latter are used if the former are unknown.
    pub fn pool(&self, pool: &str, bits: u32) -> Option<&C> {
        let wide = self.widths.get(&bits.to_string()).and_then(|pools| pools.get(pool));
        wide.or_else(|| self.pools.get(pool))
    }

    /// The name under which the constants of an operation are found: its own, or that of the operation as which cores
    /// without a difference between the two execute it.
    pub fn name<'a>(&self, op: &'a str) -> &'a str {
        match op {
            "andn" if !self.ops.contains_key(op) => "logic",
            // An address of several terms takes another cycle on some cores.
            "lea3" if !self.ops.contains_key(op) => "lea",
            op => op,
        }
    }

    /// The latency of `op` in cycles; 0 if it is unknown.
    pub fn latency(&self, op: &str) -> f64 {
        self.ops.get(op).and_then(|op| op.latency.as_ref()).map_or(0.0, C::value)
    }

    /// The latency of `op` from one of its operands in cycles; 0 if it is unknown.
    pub fn latency_from(&self, op: &str, operand: usize) -> f64 {
        let from = self.ops.get(op).and_then(|op| op.from.get(operand));
        from.map_or_else(|| self.latency(op), C::value)
    }

    /// The latencies of an operation.
    pub(crate) fn latencies(&self, op: &str) -> impl Iterator<Item = &C> {
        self.ops.get(op).into_iter().flat_map(|op| op.latency.iter().chain(&op.from))
    }

    /// Keeps the constants that `keep` converts.
    fn filter<'a, D: Clone + 'a>(&'a self, keep: impl Fn(&'a C) -> Option<&'a D>) -> Units<D> {
        let pools = |pools: &'a BTreeMap<String, C>| {
            let kept = pools.iter().filter_map(|(name, c)| Some((name.clone(), keep(c)?.clone())));
            kept.collect::<BTreeMap<_, _>>()
        };
        let operation = |op: &'a MachineOperation<C>| {
            let from: Option<Vec<D>> = op.from.iter().map(|c| keep(c).cloned()).collect();
            MachineOperation {
                latency: op.latency.as_ref().and_then(&keep).cloned(),
                from: from.unwrap_or_default(),
                uses: pools(&op.uses),
            }
        };
        Units {
            pools: pools(&self.pools),
            widths: self.widths.iter().map(|(bits, of)| (bits.clone(), pools(of))).collect(),
            ops: self.ops.iter().map(|(name, op)| (name.clone(), operation(op))).collect(),
        }
    }
}

/// A processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Its description.
    pub title: String,
    /// The instruction set of its general registers.
    pub scalar: String,
    /// The bits of its general registers; wider words are not modelled.
    pub scalar_bits: u32,
    /// The instruction sets of its vector registers.
    pub vectors: Vec<String>,
    /// LLVM's model of it.
    pub llvm: Option<Llvm>,
    /// The complete descriptions of such machines in heads of records. A record also matches
    /// if its directory's name begins with the model's name.
    pub recognised_by: Vec<String>,
    /// Its minimum and maximum clock, in GHz.
    pub ghz: Option<[f64; 2]>,
    /// The maximum number of instructions that wait for operands: the scheduler entries. Only
    /// predictions use it.
    pub window: Constant,
    /// Other limits that only predictions use, by name. `reorder` and `retire` are the size of the reorder buffer and the
    /// instructions that retire per cycle. `vector_window` and `vector_queue` are the entries of a separate scheduler of
    /// vector registers and of the queue in front of it.
    pub buffers: BTreeMap<String, Constant>,
    /// Whether an instruction is bound to its ALU when it is fetched, before it is known which
    /// one will be free.
    pub bound: bool,
    /// Whether it has SHA-NI.
    pub sha: bool,
    /// Its constants.
    pub units: Units<Constant>,
}

/// The window if it is unknown: so large that issue and units are the bottleneck.
const WINDOW: f64 = 96.0;

impl Machine {
    /// The stated constants, from which bounds are derived.
    pub fn stated(&self) -> Units<Stated> {
        self.units.filter(Constant::stated)
    }

    /// Whether no constant has a source.
    pub fn is_assumed(&self) -> bool {
        self.origins().all(|(_, constant)| constant.stated().is_none())
    }

    /// The name, with a remark if no constant has a source.
    pub fn shown(&self) -> String {
        self.remarked(&self.name)
    }

    /// The description, with a remark if no constant has a source.
    pub fn titled(&self) -> String {
        self.remarked(&self.title)
    }

    fn remarked(&self, name: &str) -> String {
        format!("{name}{}", if self.is_assumed() { " (assumed)" } else { "" })
    }

    /// The units of `pool` for vectors of `bits` bits (0: general registers).
    pub fn pool(&self, pool: &str, bits: u32) -> f64 {
        self.units.pool(pool, bits).expect("checked when read").value()
    }

    /// Every constant with its name: `alu`, `load/512`, `sha1rnds4 latency`, `sha1rnds4 in sha`.
    pub fn origins(&self) -> impl Iterator<Item = (String, &Constant)> {
        let pools = self.units.pools.iter().map(|(pool, c)| (pool.clone(), c));
        let widths = self.units.widths.iter().flat_map(|(bits, pools)| {
            pools.iter().map(move |(pool, c)| (format!("{pool}/{bits}"), c))
        });
        let ops = self.units.ops.iter().flat_map(|(name, op)| {
            let latency = op.latency.iter().filter(|_| op.from.is_empty());
            let latency = latency.map(move |c| (format!("{name} latency"), c));
            let from = op.from.iter().enumerate();
            let from =
                from.map(move |(i, c)| (format!("{name} latency from operand {}", i + 1), c));
            let uses = op.uses.iter().map(move |(pool, c)| (format!("{name} in {pool}"), c));
            latency.chain(from).chain(uses)
        });
        let window = [("window".to_owned(), &self.window)];
        let buffers = self.buffers.iter().map(|(name, c)| (name.clone(), c));
        pools.chain(widths).chain(ops).chain(window).chain(buffers)
    }
}

/// An operation in the file.
#[derive(Deserialize)]
struct Unit {
    latency: f64,
    #[serde(default)]
    from: Vec<f64>,
    #[serde(flatten)]
    pools: BTreeMap<String, f64>,
}

/// The constants that a source states, by name; `*` is all of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatedBy {
    /// The name of the source.
    by: String,
    /// Pools, as `alu` or `load/512`.
    #[serde(default)]
    pools: BTreeSet<String>,
    /// Operations whose latencies it states.
    #[serde(default)]
    latencies: BTreeSet<String>,
    /// Operations for which it states the pools that they use, or one of them: `sha1rnds4 in sha`.
    #[serde(default)]
    uses: BTreeSet<String>,
    /// Whether it states the window and the other buffers.
    #[serde(default)]
    window: bool,
}

/// A machine in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MachineText {
    name: String,
    title: String,
    scalar: String,
    scalar_bits: u32,
    vectors: Vec<String>,
    #[serde(default)]
    llvm: Option<Llvm>,
    #[serde(default)]
    recognised_by: Vec<String>,
    #[serde(default)]
    ghz: Option<[f64; 2]>,
    #[serde(default)]
    window: Option<f64>,
    #[serde(default)]
    buffers: BTreeMap<String, f64>,
    #[serde(default)]
    bound: bool,
    #[serde(default)]
    sha: bool,
    pools: BTreeMap<String, f64>,
    #[serde(default)]
    widths: BTreeMap<String, BTreeMap<String, f64>>,
    ops: BTreeMap<String, Unit>,
    #[serde(default)]
    stated: Vec<StatedBy>,
}

impl MachineText {
    /// The machine. Sources refer to `sources` by name.
    pub(crate) fn machine(
        self,
        sources: &BTreeMap<String, Arc<ConstantSource>>,
    ) -> Result<Machine, ModelError> {
        let place = format!("machine `{}`", self.name);
        let assumed = |pools: BTreeMap<String, f64>| -> BTreeMap<String, Constant> {
            pools.into_iter().map(|(pool, n)| (pool, Constant::Assumed(n))).collect()
        };
        let operation = |unit: Unit| MachineOperation {
            latency: Some(Constant::Assumed(unit.latency)),
            from: unit.from.into_iter().map(Constant::Assumed).collect(),
            uses: assumed(unit.pools),
        };
        let mut units = Units {
            pools: assumed(self.pools),
            widths: self.widths.into_iter().map(|(bits, of)| (bits, assumed(of))).collect(),
            ops: self.ops.into_iter().map(|(name, unit)| (name, operation(unit))).collect(),
        };
        let mut window = Constant::Assumed(self.window.unwrap_or(WINDOW));
        let mut buffers = assumed(self.buffers);
        for stated in &self.stated {
            let source = sources.get(&stated.by).ok_or_else(|| {
                unknown("source", &stated.by, &place, sources.keys().cloned().collect())
            })?;
            let mut said = BTreeSet::new();
            let mut state = |of: &BTreeSet<String>, name: &str, constants: &mut [&mut Constant]| {
                if of.contains(name) || of.contains("*") {
                    said.insert(name.to_owned());
                    for constant in constants {
                        let value = constant.value();
                        **constant = Constant::Stated(Stated::new(value, source.clone()));
                    }
                }
            };
            for (pool, constant) in &mut units.pools {
                state(&stated.pools, pool, &mut [constant]);
            }
            for (bits, pools) in &mut units.widths {
                for (pool, constant) in pools {
                    state(&stated.pools, &format!("{pool}/{bits}"), &mut [constant]);
                }
            }
            for (name, op) in &mut units.ops {
                let mut latencies: Vec<_> = op.latency.iter_mut().chain(&mut op.from).collect();
                state(&stated.latencies, name, &mut latencies);
                for (pool, constant) in &mut op.uses {
                    state(&stated.uses, name, &mut [&mut *constant]);
                    state(&stated.uses, &format!("{name} in {pool}"), &mut [constant]);
                }
            }
            if stated.window {
                for buffer in buffers.values_mut().chain([&mut window]) {
                    *buffer = Constant::Stated(Stated::new(buffer.value(), source.clone()));
                }
            }
            let names = [&stated.pools, &stated.latencies, &stated.uses].into_iter().flatten();
            if let Some(name) = names.filter(|name| *name != "*").find(|name| !said.contains(*name))
            {
                let valid = units.pools.keys().chain(units.ops.keys()).cloned().collect();
                return Err(unknown("constant", name, &format!("{place}, {}", stated.by), valid));
            }
        }
        let Self { name, title, scalar, scalar_bits, vectors, llvm, recognised_by, ghz, .. } = self;
        let (bound, sha) = (self.bound, self.sha);
        Ok(Machine {
            name,
            title,
            scalar,
            scalar_bits,
            vectors,
            llvm,
            recognised_by,
            ghz,
            window,
            buffers,
            bound,
            sha,
            units,
        })
    }
}
