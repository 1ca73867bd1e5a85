//! Normal forms, which prove that two computations of a word are equal.
//!
//! A word is either a sum or a Boolean polynomial of other words:
//!
//! * a sum is a multiset: terms with coefficients modulo 2^w, and a constant.
//!   Every order and grouping of additions has the same one;
//! * a polynomial over GF(2) (the algebraic normal form) is a set of products of
//!   rotated words, and of at most one number. Rotation distributes over ∧ and ⊕, so every
//!   form of Ch, Maj, Σ and of SHA-1's schedule has the same one.
//!
//! Two terms of a sum that have no bit in common are merged, because x + y = x ⊕ y if x ∧
//! y = 0. So Ch and Maj may be split over two additions.
//!
//! Equal forms prove that words are equal. Different forms prove nothing; evaluation then shows
//! whether the words differ.

use std::collections::HashMap;

use crate::fold::Fold;
use crate::op::{Id, Op};

/// A normal form, by its index in the graph's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NormalId(u32);

impl NormalId {
    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// A word rotated right, and the number of bits: a variable of a polynomial.
type Variable = (NormalId, u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum NormalForm {
    Input(u32),
    Sum(Vec<(NormalId, u64)>, u64),
    /// Each product is sorted and without duplicates. Only the product of all ones is empty.
    Polynomial(Vec<Vec<Variable>>),
    Shr(NormalId, u32),
    /// An opaque node of the graph, whose polynomial has too many products or whose sum too many terms.
    Whole(Op),
}

/// The default maximum number of products of a polynomial before cancellation. Shipped kernels need far fewer,
/// but a modified kernel may multiply polynomials round after round.
const MOST: usize = 1 << 16;

/// The maximum number of terms of a sum before cancellation, for the same reason.
const MOST_TERMS: usize = 1 << 12;

/// The table of normal forms of a graph.
#[derive(Clone, Debug)]
pub(crate) struct Normal {
    width: u32,
    /// The maximum number of products of a polynomial before cancellation.
    pub(crate) most: usize,
    forms: Vec<NormalForm>,
    /// Each form as the only term of a sum.
    single: Vec<[(NormalId, u64); 1]>,
    index: HashMap<NormalForm, NormalId, Fold>,
    /// Pairs of terms without a common bit and with the same coefficient, and their merged term.
    joined: Vec<[NormalId; 3]>,
}

impl Normal {
    pub(crate) fn new(width: u32) -> Self {
        Self {
            width,
            most: MOST,
            forms: Vec::new(),
            single: Vec::new(),
            index: HashMap::default(),
            joined: Vec::new(),
        }
    }

    /// The value of `op` for the values of its operands.
    pub(crate) fn value(&mut self, op: Op, of: impl Fn(Id) -> NormalId) -> NormalId {
        if let Op::Add(x, y) | Op::Lea(x, y, _) | Op::Sub(x, y) = op
            && self.sum(&of(x)).0.len() + self.sum(&of(y)).0.len() > MOST_TERMS
        {
            return self.intern(NormalForm::Whole(op));
        }
        match op {
            Op::Input(n) => self.intern(NormalForm::Input(n)),
            Op::Const(k) => self.add(&[], k),
            Op::Add(x, y) => self.add(&[(of(x), 1), (of(y), 1)], 0),
            Op::AddConst(x, k) => self.add(&[(of(x), 1)], k),
            Op::Lea(x, y, k) => self.add(&[(of(x), 1), (of(y), 1)], k),
            Op::Sub(x, y) => self.add(&[(of(x), 1), (of(y), u64::MAX)], 0),
            Op::And(x, y) => {
                let p = product(self.most, &self.polynomial(of(x)), &self.polynomial(of(y)));
                self.reduced_or_whole(p, op)
            }
            Op::AndNot(x, y) => {
                let not_y = not(self.polynomial(of(y)));
                let p = product(self.most, &self.polynomial(of(x)), &not_y);
                self.reduced_or_whole(p, op)
            }
            // Two shifts that form a rotation.
            Op::Or(x, y) if self.rotation(of(x), of(y)).is_some() => {
                let p = self.rotation(of(x), of(y)).expect("just seen");
                self.reduced(p)
            }
            Op::Or(x, y) => {
                let (x, y) = (self.polynomial(of(x)), self.polynomial(of(y)));
                let p = product(self.most, &x, &y).map(|both| xor(xor(x, &y), &both));
                self.reduced_or_whole(p, op)
            }
            Op::Xor(x, y) => {
                let p = xor(self.polynomial(of(x)), &self.polynomial(of(y)));
                self.reduced(p)
            }
            Op::Not(x) => {
                let p = not(self.polynomial(of(x)));
                self.reduced(p)
            }
            Op::Rotr(x, n) => {
                let mut p = self.polynomial(of(x));
                rotate(&mut p, n, self.width);
                self.reduced(p)
            }
            Op::Shr(x, n) => self.intern(NormalForm::Shr(of(x), n)),
            // The bits of a rotation that the right shift lacks.
            Op::Shl(x, n) => {
                let right = self.intern(NormalForm::Shr(of(x), self.width - n));
                let mut p = self.polynomial(of(x));
                rotate(&mut p, self.width - n, self.width);
                let p = xor(p, &[vec![(right, 0)]]);
                self.reduced(p)
            }
            Op::Ch(x, y, z) => {
                let [x, y, z] = [x, y, z].map(|id| self.polynomial(of(id)));
                let p = product(self.most, &x, &xor(y, &z)).map(|p| xor(p, &z));
                self.reduced_or_whole(p, op)
            }
            Op::Maj(x, y, z) => {
                let [x, y, z] = [x, y, z].map(|id| self.polynomial(of(id)));
                // x ∧ (y ⊕ z) ⊕ y ∧ z.
                let p = product(self.most, &y, &z)
                    .and_then(|both| product(self.most, &x, &xor(y, &z)).map(|p| xor(p, &both)));
                self.reduced_or_whole(p, op)
            }
            Op::Xor3(x, y, z) => {
                let [x, y, z] = [x, y, z].map(|id| self.polynomial(of(id)));
                let p = xor(xor(x, &y), &z);
                self.reduced(p)
            }
        }
    }

    /// The rule that determines the form of an operation.
    pub(crate) fn rule(&self, op: Op, of: impl Fn(Id) -> NormalId) -> &'static str {
        match op {
            Op::Input(_) => "being given",
            _ if self.index.contains_key(&NormalForm::Whole(op)) => "being an opaque word",
            _ if op.is_sum() => "sums of terms",
            Op::Const(_) => "sums of terms",
            Op::Or(x, y) if self.rotation(of(x), of(y)).is_some() => "two shifts of one word",
            Op::Rotr(..) => "rotation of every variable",
            Op::Shr(..) => "being an opaque word",
            Op::Shl(..) => "rotation without the other shift",
            _ => "polynomials over GF(2)",
        }
    }

    /// Every form, and every pair of merged terms, one per line.
    pub(crate) fn steps(&self) -> impl Iterator<Item = String> {
        let forms = self.forms.iter().enumerate().map(|(i, form)| match form {
            NormalForm::Input(n) => format!("form {i} = input {n:#x}"),
            NormalForm::Sum(terms, k) => {
                let terms = terms.iter().map(|(term, c)| format!(" + {c:#x} * {}", term.0));
                format!("form {i} = sum {k:#x}{}", terms.collect::<String>())
            }
            NormalForm::Polynomial(products) => {
                let variable = |(value, n): &Variable| format!("{}>>>{n}", value.0);
                let product = |product: &Vec<Variable>| {
                    product.iter().map(variable).collect::<Vec<_>>().join(" & ")
                };
                let products: Vec<String> = products.iter().map(product).collect();
                format!("form {i} = polynomial {}", products.join(" ^ "))
            }
            NormalForm::Shr(value, n) => format!("form {i} = shr {} {n:#x}", value.0),
            NormalForm::Whole(op) => format!("form {i} = whole {op:?}"),
        });
        let joined = self.joined.iter().map(|[x, y, joined]| {
            format!("form {} + form {} = form {} by no common bit", x.0, y.0, joined.0)
        });
        forms.chain(joined)
    }

    /// A value as a sum.
    pub(crate) fn sum<'a>(&'a self, value: &'a NormalId) -> (&'a [(NormalId, u64)], u64) {
        match &self.forms[value.0 as usize] {
            NormalForm::Sum(terms, constant) => (terms, *constant),
            _ => (&self.single[value.0 as usize], 0),
        }
    }

    fn mask(&self, k: u64) -> u64 {
        if self.width == 64 { k } else { k & ((1 << self.width) - 1) }
    }

    fn intern(&mut self, form: NormalForm) -> NormalId {
        if let Some(&value) = self.index.get(&form) {
            return value;
        }
        let value = NormalId(self.forms.len() as u32);
        self.forms.push(form.clone());
        self.single.push([(value, 1)]);
        self.index.insert(form, value);
        value
    }

    fn add(&mut self, operands: &[(NormalId, u64)], constant: u64) -> NormalId {
        let mut terms: Vec<(NormalId, u64)> = Vec::new();
        let mut constant = constant;
        for (value, times) in operands {
            let (more, k) = self.sum(value);
            constant = constant.wrapping_add(k.wrapping_mul(*times));
            let old = terms.len();
            terms.extend(more.iter().map(|&(term, c)| (term, c.wrapping_mul(*times))));
            self.merge_disjoint(&mut terms, old);
        }
        // A stable sort of two sorted runs is a merge.
        terms.sort_by_key(|&(term, _)| term);
        let mut sum: Vec<(NormalId, u64)> = Vec::with_capacity(terms.len());
        for (term, c) in terms {
            match sum.last_mut() {
                Some((last, total)) if *last == term => *total = total.wrapping_add(c),
                _ => sum.push((term, c)),
            }
        }
        sum.iter_mut().for_each(|(_, c)| *c = self.mask(*c));
        sum.retain(|&(_, c)| c != 0);
        let constant = self.mask(constant);
        match sum[..] {
            [(only, 1)] if constant == 0 => only,
            _ => self.intern(NormalForm::Sum(sum, constant)),
        }
    }

    /// Merges a term before `old` with a later one if they have no bit in common
    /// and the same coefficient.
    fn merge_disjoint(&mut self, terms: &mut Vec<(NormalId, u64)>, old: usize) {
        if old == 0 {
            return;
        }
        // Few terms of a long sum have products; without this list the loop is quadratic in its length.
        let candidates: Vec<usize> =
            (0..old).filter(|&i| self.products(terms[i].0).is_some()).collect();
        let mut new = old;
        while new < terms.len() {
            let partner = if self.products(terms[new].0).is_some() {
                candidates.iter().copied().find(|&i| self.disjoint(terms[i], terms[new]))
            } else {
                None
            };
            if let Some(i) = partner {
                let (x, y) = (self.polynomial(terms[i].0), self.polynomial(terms[new].0));
                let joined = self.reduced(xor(x, &y));
                self.joined.push([terms[i].0, terms[new].0, joined]);
                terms[i].0 = joined;
                terms.remove(new);
            } else {
                new += 1;
            }
        }
    }

    /// The polynomial of `value`, if it has a product of several variables.
    fn products(&self, value: NormalId) -> Option<&Vec<Vec<Variable>>> {
        match &self.forms[value.0 as usize] {
            NormalForm::Polynomial(p) if p.iter().any(|product| product.len() > 1) => Some(p),
            _ => None,
        }
    }

    fn disjoint(&self, (x, c): (NormalId, u64), (y, d): (NormalId, u64)) -> bool {
        if c != d {
            return false;
        }
        let (Some(x), Some(y)) = (self.products(x), self.products(y)) else { return false };
        // Without a common variable, no products cancel.
        let shared = x.iter().flatten().any(|v| y.iter().flatten().any(|w| v == w));
        shared && product(self.most, x, y).is_some_and(|p| p.is_empty())
    }

    /// Returns the rotation that equals `x` ∨ `y`, if these are its two shifts.
    fn rotation(&self, x: NormalId, y: NormalId) -> Option<Vec<Vec<Variable>>> {
        [(x, y), (y, x)].into_iter().find_map(|(right, left)| {
            let NormalForm::Shr(word, n) = self.forms[right.0 as usize] else { return None };
            let mut p = self.polynomial(word);
            rotate(&mut p, n, self.width);
            let rest = xor(p.clone(), &[vec![(right, 0)]]);
            (self.parted(self.polynomial(left)) == self.parted(rest)).then_some(p)
        })
    }

    /// Splits a polynomial into its part without numbers, and the combined number.
    fn parted(&self, mut p: Vec<Vec<Variable>>) -> (Vec<Vec<Variable>>, u64) {
        let mut sum = 0;
        p.retain(|product| match product[..] {
            [] => {
                sum ^= self.mask(u64::MAX);
                false
            }
            [(value, n)] => match &self.forms[value.0 as usize] {
                NormalForm::Sum(terms, k) if terms.is_empty() => {
                    sum ^= self.mask(k >> n | k << ((self.width - n) % self.width));
                    false
                }
                _ => true,
            },
            _ => true,
        });
        (p, sum)
    }

    fn polynomial(&self, value: NormalId) -> Vec<Vec<Variable>> {
        match &self.forms[value.0 as usize] {
            NormalForm::Polynomial(p) => p.clone(),
            NormalForm::Sum(terms, 0) if terms.is_empty() => Vec::new(),
            NormalForm::Sum(terms, k) if terms.is_empty() && *k == self.mask(u64::MAX) => {
                vec![vec![]]
            }
            _ => vec![vec![(value, 0)]],
        }
    }

    /// The form of `op`, whose polynomial is `p`, or `None` if it has too many products.
    fn reduced_or_whole(&mut self, p: Option<Vec<Vec<Variable>>>, op: Op) -> NormalId {
        match p {
            Some(p) => self.reduced(p),
            None => self.intern(NormalForm::Whole(op)),
        }
    }

    fn reduced(&mut self, p: Vec<Vec<Variable>>) -> NormalId {
        let (mut p, k) = self.parted(p);
        if k == self.mask(u64::MAX) {
            p.insert(0, Vec::new());
        } else if k != 0 {
            let number = self.add(&[], k);
            p.push(vec![(number, 0)]);
            p.sort_unstable();
        }
        match &p[..] {
            [] => self.add(&[], 0),
            [product] => match product[..] {
                [] => self.add(&[], u64::MAX),
                [(value, 0)] => value,
                _ => self.intern(NormalForm::Polynomial(p)),
            },
            _ => self.intern(NormalForm::Polynomial(p)),
        }
    }
}

/// The sum of two sets of products over GF(2): their symmetric difference.
fn xor(x: Vec<Vec<Variable>>, y: &[Vec<Variable>]) -> Vec<Vec<Variable>> {
    cancel(x.into_iter().chain(y.iter().cloned()).collect())
}

fn rotate(p: &mut [Vec<Variable>], n: u32, width: u32) {
    for product in p.iter_mut() {
        product.iter_mut().for_each(|v| v.1 = (v.1 + n) % width);
        product.sort_unstable();
    }
    p.sort_unstable();
}

fn not(x: Vec<Vec<Variable>>) -> Vec<Vec<Variable>> {
    xor(x, &[vec![]])
}

/// The product of two polynomials, or `None` if it has more than `most` products.
fn product(most: usize, x: &[Vec<Variable>], y: &[Vec<Variable>]) -> Option<Vec<Vec<Variable>>> {
    let count = x.len().checked_mul(y.len()).filter(|&count| count <= most)?;
    let mut products = Vec::with_capacity(count);
    for p in x {
        for q in y {
            let mut joined = [&p[..], &q[..]].concat();
            joined.sort_unstable();
            joined.dedup(); // x ∧ x = x
            products.push(joined);
        }
    }
    Some(cancel(products))
}

fn cancel(mut products: Vec<Vec<Variable>>) -> Vec<Vec<Variable>> {
    products.sort_unstable();
    let mut odd: Vec<Vec<Variable>> = Vec::with_capacity(products.len());
    for p in products {
        if odd.last() == Some(&p) {
            odd.pop();
        } else {
            odd.push(p);
        }
    }
    odd
}
