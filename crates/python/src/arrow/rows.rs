//! Digests of rows of several columns.
//!
//! The message of a row, version 1, is a framing that is unique for each row: the bytes
//! `lanesum.row` and 1, the number of columns in four bytes, and for each column either the byte 0
//! for null, or the byte 1, the length of its value in eight bytes and the value itself. Numbers
//! are little-endian. Text is framed as its UTF-8 bytes.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use lanesum::Offsets;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::cells::Cells;
use super::column::Column;
use super::digests::written;
use crate::run::{Batch, Form};

/// The prefix of a row's message.
const HEAD: &[u8] = b"lanesum.row\x01";

/// Computes the digest of each row of these columns, which must have equal lengths.
pub(crate) fn digests(py: Python<'_>, batch: &Batch, columns: &[ArrayRef]) -> PyResult<Column> {
    let Some(first) = columns.first() else {
        return Err(PyValueError::new_err("columns: at least one"));
    };
    let count = first.len();
    let columns = columns.iter().enumerate();
    let columns = columns.map(|(i, column)| Cells::new(&format!("columns: item {i}"), column));
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let len = |row| {
        let cells = columns.iter().map(|column| 9 + column.get(row).map_or(0, <[u8]>::len));
        HEAD.len() + 4 + cells.sum::<usize>()
    };
    let array = written(batch, count, None, |out| {
        batch.run_pieces(py, count, len, out, |piece, interrupt| {
            let rows = piece.range.clone();
            let (mut arena, mut offsets) = (Vec::new(), Vec::with_capacity(rows.len() + 1));
            offsets.push(0usize);
            for row in rows {
                arena.extend_from_slice(HEAD);
                arena.extend_from_slice(&(columns.len() as u32).to_le_bytes());
                for column in &columns {
                    frame(column.get(row), &mut arena);
                }
                offsets.push(arena.len());
            }
            let messages = Offsets::new(&arena, &offsets);
            batch.digests(&messages.expect("offsets that only grow"), piece, interrupt);
        })
    })?;
    let kind = match batch.form {
        Form::Bytes => DataType::FixedSizeBinary(batch.place_len() as i32),
        Form::Hex => DataType::LargeUtf8,
    };
    let field = Arc::new(Field::new("", kind, false));
    Ok(Column::new(vec![array], field, false))
}

/// Appends the frame of a value or null.
fn frame(value: Option<&[u8]>, arena: &mut Vec<u8>) {
    match value {
        None => arena.push(0),
        Some(value) => {
            arena.push(1);
            arena.extend_from_slice(&(value.len() as u64).to_le_bytes());
            arena.extend_from_slice(value);
        }
    }
}
