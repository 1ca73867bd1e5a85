//! Runs the specification's functions on words that record their operations.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, BitAnd, BitXor, Not, Sub};

use lanesum_spec::sha1::{self, Sha1};
use lanesum_spec::sha2::{Sha256, Sha512, Variant};
use lanesum_spec::sm3::{self, Sm3};
use lanesum_spec::{Compression, Family, Hints, Int, Word};

use crate::graph::{Graph, Id, Op};

/// The recorded functions: the functions of FIPS 180-4, or a modification that lets a test check
/// which results depend on an operation.
#[derive(Clone, Copy, Debug)]
pub struct Specification {
    node: fn(&mut Graph, Op) -> Id,
}

impl Default for Specification {
    fn default() -> Self {
        Self { node: Graph::node }
    }
}

impl Specification {
    /// Creates the functions in which `node` replaces each operation.
    pub fn changed(node: fn(&mut Graph, Op) -> Id) -> Self {
        Self { node }
    }

    /// Records the compression function of `family` as specified or, with `short`, in the form of
    /// the round with the shorter chain.
    pub fn record(self, family: Family, short: bool) -> Block {
        let mut block = Block {
            family,
            specification: self,
            graph: Graph::new(family.word_bits()),
            spec: Form { outputs: Vec::new(), rounds: Vec::new() },
            block: Vec::new(),
            state: Vec::new(),
        };
        block.spec = block.record(short);
        let words = family.state_words() as u32;
        block.state = (0..words).map(|i| block.graph.node(Op::Input(i))).collect();
        block.block = (words..words + 16).map(|i| block.graph.node(Op::Input(i))).collect();
        block
    }
}

/// A graph under construction.
#[derive(Debug)]
pub struct Recorder {
    specification: Specification,
    graph: RefCell<Graph>,
    fences: RefCell<Vec<[Id; 16]>>,
}

/// A word that is a node of a graph. `SHORT` selects the form of the round, like
/// [`Hints::SHORT`] does.
#[derive(Debug)]
pub struct Node<'g, I, const SHORT: bool = false> {
    recorder: &'g Recorder,
    id: Id,
    int: PhantomData<I>,
}

impl<I, const SHORT: bool> Clone for Node<'_, I, SHORT> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<I, const SHORT: bool> Copy for Node<'_, I, SHORT> {}

impl Recorder {
    /// Creates an empty recorder for words of `width` bits.
    pub fn new(width: u32) -> Self {
        Self::over(Graph::new(width))
    }

    /// Creates a recorder that extends `graph`.
    pub fn over(graph: Graph) -> Self {
        Self::of(Specification::default(), graph)
    }

    fn of(specification: Specification, graph: Graph) -> Self {
        Self { specification, graph: RefCell::new(graph), fences: RefCell::new(Vec::new()) }
    }

    /// The `n`-th input.
    pub fn input<I: Int, const SHORT: bool>(&self, n: usize) -> Node<'_, I, SHORT> {
        self.node(Op::Input(n as u32))
    }

    /// Returns an existing node of the graph as a word.
    pub fn at<I: Int, const SHORT: bool>(&self, id: Id) -> Node<'_, I, SHORT> {
        Node { recorder: self, id, int: PhantomData }
    }

    /// The recorded graph.
    pub fn finish(self) -> Graph {
        self.graph.into_inner()
    }

    fn node<I, const SHORT: bool>(&self, op: Op) -> Node<'_, I, SHORT> {
        let id = (self.specification.node)(&mut self.graph.borrow_mut(), op);
        Node { recorder: self, id, int: PhantomData }
    }
}

impl<I, const SHORT: bool> Node<'_, I, SHORT> {
    /// The node.
    pub fn id(self) -> Id {
        self.id
    }
}

impl<I, const SHORT: bool> Add for Node<'_, I, SHORT> {
    type Output = Self;
    fn add(self, y: Self) -> Self {
        self.recorder.node(Op::Add(self.id, y.id))
    }
}
impl<I: Int, const SHORT: bool> Add<I> for Node<'_, I, SHORT> {
    type Output = Self;
    fn add(self, k: I) -> Self {
        self.recorder.node(Op::AddConst(self.id, k.widen()))
    }
}
impl<I, const SHORT: bool> Sub for Node<'_, I, SHORT> {
    type Output = Self;
    fn sub(self, y: Self) -> Self {
        self.recorder.node(Op::Sub(self.id, y.id))
    }
}
impl<I, const SHORT: bool> BitAnd for Node<'_, I, SHORT> {
    type Output = Self;
    fn bitand(self, y: Self) -> Self {
        self.recorder.node(Op::And(self.id, y.id))
    }
}
impl<I, const SHORT: bool> BitXor for Node<'_, I, SHORT> {
    type Output = Self;
    fn bitxor(self, y: Self) -> Self {
        self.recorder.node(Op::Xor(self.id, y.id))
    }
}
impl<I, const SHORT: bool> Not for Node<'_, I, SHORT> {
    type Output = Self;
    fn not(self) -> Self {
        self.recorder.node(Op::Not(self.id))
    }
}

macro_rules! node_word {
    ($int:ident) => {
        impl<const SHORT: bool> Word for Node<'_, $int, SHORT> {
            type Int = $int;

            fn rotr(self, n: u32) -> Self {
                self.recorder.node(Op::Rotr(self.id, n))
            }
            fn shr(self, n: u32) -> Self {
                self.recorder.node(Op::Shr(self.id, n))
            }
            fn ch(x: Self, y: Self, z: Self) -> Self {
                x.recorder.node(Op::Ch(x.id, y.id, z.id))
            }
            fn maj(x: Self, y: Self, z: Self) -> Self {
                x.recorder.node(Op::Maj(x.id, y.id, z.id))
            }
            fn xor3(x: Self, y: Self, z: Self) -> Self {
                x.recorder.node(Op::Xor3(x.id, y.id, z.id))
            }
        }

        impl<const SHORT: bool> Hints for Node<'_, $int, SHORT> {
            const SHORT: bool = SHORT;

            // The specification calls this once per round, which identifies the
            // schedule of a round.
            fn fence(w: &mut [Self; 16]) {
                w[0].recorder.fences.borrow_mut().push(w.map(Self::id));
            }
        }
    };
}
node_word!(u32);
node_word!(u64);

/// The inputs and results of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// W_t.
    pub w: Id,
    /// W_t + K_t.
    pub wk: Id,
    /// The state after the round: a, b, c …
    pub state: Vec<Id>,
}

/// One form of a compression function: its roots in a [`Graph`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The new chaining value.
    pub outputs: Vec<Id>,
    /// The rounds; empty for the compatibility functions, which FIPS 180-4 does not
    /// specify.
    pub rounds: Vec<Round>,
}

impl Form {
    /// All named words: the outputs, then the rounds' words.
    pub fn named(&self) -> impl Iterator<Item = Id> + '_ {
        let rounds =
            self.rounds.iter().flat_map(|r| [r.w, r.wk].into_iter().chain(r.state.iter().copied()));
        self.outputs.iter().copied().chain(rounds)
    }
}

/// A compression function as a graph. Its inputs are the chaining value and then
/// the sixteen words of the block.
#[derive(Clone, Debug)]
pub struct Block {
    /// The compression function.
    pub family: Family,
    /// The recorded functions, also for other forms.
    specification: Specification,
    /// The operations, in every form so far.
    pub graph: Graph,
    /// The form of the specification.
    pub spec: Form,
    /// W_0 … W_15; for rounds without a schedule, the words of an expanded block.
    pub block: Vec<Id>,
    /// The chaining value.
    pub state: Vec<Id>,
}

/// Records the compression function of `family` in the form of the specification or,
/// with `short`, in the form of the round with the shorter chain.
pub fn record(family: Family, short: bool) -> Block {
    Specification::default().record(family, short)
}

/// Records only the rounds of `family`, for a separate schedule. The inputs are the
/// chaining value and then the words of an expanded block ([`Compression::expand`]):
/// W_t + K_t of every round, or SM3's W_j.
///
/// # Panics
///
/// If the family has no schedule.
pub fn record_rounds(family: Family, short: bool) -> Block {
    let recorder = Recorder::new(family.word_bits());
    let spec = match (family, short) {
        (Family::Sha1, false) => sha1_rounds::<false>(&recorder),
        (Family::Sha1, true) => sha1_rounds::<true>(&recorder),
        (Family::Sha256, false) => sha2_rounds::<Sha256, Node<'_, u32>>(&recorder),
        (Family::Sha256, true) => sha2_rounds::<Sha256, Node<'_, u32, true>>(&recorder),
        (Family::Sha512, false) => sha2_rounds::<Sha512, Node<'_, u64>>(&recorder),
        (Family::Sha512, true) => sha2_rounds::<Sha512, Node<'_, u64, true>>(&recorder),
        (Family::Sm3, _) => sm3_rounds(&recorder),
        (other, _) => panic!("{other:?} has no schedule"),
    };
    let mut graph = recorder.finish();
    let words = family.state_words() as u32;
    let expanded = family.expanded_words() as u32;
    let state = (0..words).map(|i| graph.node(Op::Input(i))).collect();
    let block = (words..words + expanded).map(|i| graph.node(Op::Input(i))).collect();
    Block { family, specification: Specification::default(), graph, spec, block, state }
}

/// Runs all rounds with the function `round`, and returns the chaining value after
/// them.
fn rounds_of<'g, const N: usize, W: Wire<'g>>(
    recorder: &'g Recorder,
    count: usize,
    round: impl Fn(usize, [W; N], W) -> [W; N],
) -> Form {
    let start: [W; N] = std::array::from_fn(|i| W::input(recorder, i));
    let mut state = start;
    let mut rounds = Vec::with_capacity(count);
    for t in 0..count {
        let wk = W::input(recorder, N + t);
        state = round(t, state, wk);
        let state = state.map(W::id).to_vec();
        rounds.push(Round { w: wk.id(), wk: wk.id(), state });
    }
    let outputs = (0..N).map(|i| (start[i] + state[i]).id()).collect();
    Form { outputs, rounds }
}

fn sha1_rounds<const SHORT: bool>(recorder: &Recorder) -> Form {
    type W<'g, const SHORT: bool> = Node<'g, u32, SHORT>;
    rounds_of::<5, W<'_, SHORT>>(recorder, 80, |t, s, wk| {
        let f = [W::ch, W::xor3, W::maj, W::xor3][t / 20](s[1], s[2], s[3]);
        sha1::round(s, f, wk)
    })
}

fn sha2_rounds<'g, V, W>(recorder: &'g Recorder) -> Form
where
    V: Variant,
    W: Wire<'g, Int = <V as Variant>::Int>,
{
    rounds_of::<8, W>(recorder, V::ROUNDS, |_, s, wk| W::round::<V, W>(s, wk))
}

fn sm3_rounds(recorder: &Recorder) -> Form {
    const WORDS: usize = <Sm3 as Compression<8>>::EXPANDED;
    let start: [Node<'_, u32>; 8] = std::array::from_fn(|i| recorder.input(i));
    let w: [Node<'_, u32>; WORDS] = std::array::from_fn(|j| recorder.input(8 + j));
    let outputs = sm3::compress_expanded(start, &w).map(Node::id).to_vec();
    Form { outputs, rounds: Vec::new() }
}

impl Block {
    /// The rounds of the function.
    pub fn rounds(&self) -> usize {
        self.family.rounds()
    }

    /// Splits the operations of `form`: first the operations that depend on the state (on the
    /// recurrence), then all others (off it).
    pub fn split(&self, form: &Form) -> (Vec<Id>, Vec<Id>) {
        let nodes = self.graph.reachable(form.outputs.iter().copied());
        let mut on = vec![false; self.graph.len()];
        for &id in &nodes {
            on[id.index()] =
                self.state.contains(&id) || self.graph.op(id).operands().any(|x| on[x.index()]);
        }
        nodes
            .into_iter()
            .filter(|&id| self.graph.op(id).kind().is_some())
            .partition(|id| on[id.index()])
    }

    /// Records another form in the same graph, so that both can be compared.
    pub fn record(&mut self, short: bool) -> Form {
        let graph = std::mem::replace(&mut self.graph, Graph::new(self.family.word_bits()));
        let recorder = Recorder::of(self.specification, graph);
        let form = match (self.family, short) {
            (Family::Sha1, false) => sha1_form::<false>(&recorder),
            (Family::Sha1, true) => sha1_form::<true>(&recorder),
            (Family::Sha256, false) => sha2_form::<Sha256, Node<'_, u32>>(&recorder),
            (Family::Sha256, true) => sha2_form::<Sha256, Node<'_, u32, true>>(&recorder),
            (Family::Sha512, false) => sha2_form::<Sha512, Node<'_, u64>>(&recorder),
            (Family::Sha512, true) => sha2_form::<Sha512, Node<'_, u64, true>>(&recorder),
            (other, _) => plain_of(other, &recorder),
        };
        self.graph = recorder.finish();
        form
    }

    /// Returns the inputs of one call: a chaining value and a block of words.
    pub fn inputs(&self, state: &[u64], block: &[u64; 16]) -> Vec<u64> {
        state[..self.family.state_words()].iter().chain(block).copied().collect()
    }
}

/// A word that is a node, of either width and form.
trait Wire<'g>: Hints {
    fn input(recorder: &'g Recorder, n: usize) -> Self;
    fn id(self) -> Id;
}

impl<'g, I: Int, const SHORT: bool> Wire<'g> for Node<'g, I, SHORT>
where
    Self: Hints<Int = I>,
{
    fn input(recorder: &'g Recorder, n: usize) -> Self {
        recorder.input(n)
    }
    fn id(self) -> Id {
        self.id
    }
}

fn inputs<'g, const N: usize, W: Wire<'g>>(recorder: &'g Recorder) -> ([W; N], [W; 16]) {
    (
        std::array::from_fn(|i| W::input(recorder, i)),
        std::array::from_fn(|t| W::input(recorder, N + t)),
    )
}

fn plain<'g, C: Compression<N>, const N: usize, W: Wire<'g, Int = C::Int>>(
    recorder: &'g Recorder,
) -> Form {
    let (state, block) = inputs::<N, W>(recorder);
    recorder.fences.borrow_mut().clear();
    let outputs = C::compress(state, block).map(W::id).to_vec();
    Form { outputs, rounds: Vec::new() }
}

/// The data of a family, without its rounds.
fn plain_of(family: Family, recorder: &Recorder) -> Form {
    macro_rules! forms {
        (W32 { $($name32:ident: $in32:ident::$family32:ident,)* }
            W64 { $($name64:ident: $in64:ident::$family64:ident,)* }) => {
            match family {
                $(Family::$family32 => {
                    plain::<lanesum_spec::$in32::$family32, _, Node<'_, u32>>(recorder)
                })*
                $(Family::$family64 => {
                    plain::<lanesum_spec::$in64::$family64, _, Node<'_, u64>>(recorder)
                })*
            }
        };
    }
    lanesum_spec::each_family!(forms)
}

/// Reconstructs the rounds of a form one at a time from the specification's
/// round, and checks that they are the same nodes.
fn with_rounds<'g, const N: usize, W: Wire<'g>>(
    form: Form,
    recorder: &'g Recorder,
    round: impl Fn(usize, [W; N], Id) -> ([W; N], W),
) -> Form {
    let fences = recorder.fences.take();
    let (start, _) = inputs::<N, W>(recorder);
    let mut state = start;
    let mut rounds = Vec::with_capacity(fences.len());
    for (t, fence) in fences.iter().enumerate() {
        let w = fence[t % 16];
        let (next, wk) = round(t, state, w);
        rounds.push(Round { w, wk: wk.id(), state: next.map(W::id).to_vec() });
        state = next;
    }
    for (i, word) in state.into_iter().enumerate() {
        assert_eq!((start[i] + word).id(), form.outputs[i], "the rounds are those of compress");
    }
    Form { rounds, ..form }
}

fn sha1_form<const SHORT: bool>(recorder: &Recorder) -> Form {
    type W<'g, const SHORT: bool> = Node<'g, u32, SHORT>;
    let form = plain::<Sha1, 5, W<'_, SHORT>>(recorder);
    with_rounds::<5, W<'_, SHORT>>(form, recorder, |t, s, w| {
        let f = [W::ch, W::xor3, W::maj, W::xor3][t / 20](s[1], s[2], s[3]);
        let wk = recorder.at(w) + sha1::K[t / 20];
        (sha1::round(s, f, wk), wk)
    })
}

fn sha2_form<'g, V, W>(recorder: &'g Recorder) -> Form
where
    V: Variant + Compression<8, Int = <V as Variant>::Int>,
    W: Wire<'g, Int = <V as Variant>::Int>,
    Recorder: At<'g, W>,
{
    let form = plain::<V, 8, W>(recorder);
    with_rounds::<8, W>(form, recorder, |t, s, w| {
        let wk = recorder.word(w) + V::K[t];
        (W::round::<V, _>(s, wk), wk)
    })
}

/// An existing node of the graph, as a word of type `W`.
trait At<'g, W> {
    fn word(&'g self, id: Id) -> W;
}

impl<'g, I: Int, const SHORT: bool> At<'g, Node<'g, I, SHORT>> for Recorder {
    fn word(&'g self, id: Id) -> Node<'g, I, SHORT> {
        self.at(id)
    }
}
