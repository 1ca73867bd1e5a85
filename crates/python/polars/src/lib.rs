//! Digests as expressions of Polars: what `lanesum_polars` registers as `lanesum`.

use lanesum::{Algorithm, Bytes, Engine, Hex, HmacKey, hash_many, mac_many};
use polars::prelude::*;
use pyo3::prelude::*;
use pyo3_polars::PolarsAllocator;
use pyo3_polars::derive::{CallerContext, polars_expr};
use serde::Deserialize;

/// Polars' allocator frees values that are passed between the libraries.
#[global_allocator]
static ALLOCATOR: PolarsAllocator = PolarsAllocator::new();

/// The arguments of the expression.
#[derive(Deserialize)]
struct Asked {
    algorithm: String,
    is_hex: bool,
    #[serde(with = "serde_bytes")]
    key: Option<Vec<u8>>,
}

impl Asked {
    fn algorithm(&self) -> PolarsResult<Algorithm> {
        let name = &self.algorithm;
        let known = Algorithm::from_name(name);
        known
            .or_else(|| Algorithm::from_name(&name.replace('_', "/")))
            .ok_or_else(|| polars_err!(InvalidOperation: "algorithm: unsupported hash type {name}"))
    }
}

/// The type of the digests, for the plan of a query.
fn digest_type(columns: &[Field], asked: Asked) -> PolarsResult<Field> {
    asked.algorithm()?;
    let kind = if asked.is_hex { DataType::String } else { DataType::Binary };
    Ok(Field::new(columns[0].name().clone(), kind))
}

// The macro wants these names of arguments.
/// The digest, or with a key the HMAC, of each value; null where it is null.
#[polars_expr(output_type_func_with_kwargs=digest_type)]
fn digest(columns: &[Series], context: CallerContext, kwargs: Asked) -> PolarsResult<Series> {
    let column = match columns[0].dtype() {
        DataType::Binary => columns[0].clone(),
        DataType::String | DataType::Null => columns[0].cast(&DataType::Binary)?,
        other => polars_bail!(
            SchemaMismatch: "a column of {other} has no bytes to hash: cast it to Binary or String"
        ),
    };
    // Polars may have a thread for each part of a column already.
    let threads = if context.parallel() { 1 } else { 0 };
    let engine = Engine::new(kwargs.algorithm()?).threads(threads);
    let key = kwargs.key.as_ref().map(|key| HmacKey::new(&engine, key));
    let column = column.binary()?;
    Ok(match kwargs.is_hex {
        false => in_bytes(column, &engine, key.as_ref()).into_series(),
        true => in_hex(column, &engine, key.as_ref()).into_series(),
    })
}

/// The number of values that are hashed at a time.
const PIECE: usize = 64 << 10;

/// Passes the digests of all values to `put` in order, `len` bytes each.
fn each(
    column: &BinaryChunked,
    len: usize,
    hash: impl Fn(&[&[u8]], &mut [u8]),
    mut put: impl FnMut(Option<&[u8]>),
) {
    let mut values = column.iter();
    let (mut piece, mut messages, mut digests) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        piece.clear();
        piece.extend(values.by_ref().take(PIECE));
        if piece.is_empty() {
            return;
        }
        messages.clear();
        messages.extend(piece.iter().flatten());
        digests.resize(messages.len() * len, 0);
        hash(&messages, &mut digests);
        let mut made = digests.chunks_exact(len);
        for value in &piece {
            put(value.and_then(|_| made.next()));
        }
    }
}

fn in_bytes(column: &BinaryChunked, engine: &Engine, key: Option<&HmacKey>) -> BinaryChunked {
    let mut out = BinaryChunkedBuilder::new(column.name().clone(), column.len());
    let hash = |messages: &[&[u8]], digests: &mut [u8]| match key {
        None => hash_many(engine, messages, Bytes(digests)),
        Some(key) => mac_many(engine, key, messages, Bytes(digests)),
    };
    each(column, engine.algorithm().digest_len(), hash, |digest| out.append_option(digest));
    out.finish()
}

fn in_hex(column: &BinaryChunked, engine: &Engine, key: Option<&HmacKey>) -> StringChunked {
    let mut out = StringChunkedBuilder::new(column.name().clone(), column.len());
    let hash = |messages: &[&[u8]], digests: &mut [u8]| match key {
        None => hash_many(engine, messages, Hex(digests)),
        Some(key) => mac_many(engine, key, messages, Hex(digests)),
    };
    each(column, 2 * engine.algorithm().digest_len(), hash, |digits| {
        out.append_option(digits.map(|digits| str::from_utf8(digits).expect("digits are ASCII")));
    });
    out.finish()
}

/// Python has to be able to import what Polars loads.
#[pymodule]
fn _lanesum_polars(_module: &Bound<'_, PyModule>) -> PyResult<()> {
    Ok(())
}
