//! Digests as scalar functions of DataFusion, which hash the rows of a batch in parallel lanes.
//!
//! ```no_run
//! # async fn example() -> datafusion::error::Result<()> {
//! use datafusion::prelude::SessionContext;
//! use lanesum::Algorithm;
//! use lanesum_datafusion::{Form, digest};
//!
//! let context = SessionContext::new();
//! context.register_udf(digest("sha256_hex", Algorithm::SHA256, Form::Hex));
//! context.sql("select sha256_hex('first')").await?.show().await?;
//! # Ok(())
//! # }
//! ```

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, FixedSizeBinaryArray, StringArray};
use datafusion::arrow::buffer::{Buffer, OffsetBuffer};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use lanesum::{Algorithm, Bytes, Hex, hash_many};

/// The output type of digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// `FixedSizeBinary`.
    Bytes,
    /// `Utf8`, lower-case hexadecimal.
    Hex,
}

/// Returns the function `name` of one column of text or bytes. The digest of a null is null.
pub fn digest(name: &str, algorithm: Algorithm, form: Form) -> ScalarUDF {
    // User-defined coercion: DataFusion's casts would convert other types to text and hash that.
    let signature = Signature::user_defined(Volatility::Immutable);
    ScalarUDF::from(Digests { name: name.to_owned(), algorithm, form, signature })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Digests {
    name: String,
    algorithm: Algorithm,
    form: Form,
    signature: Signature,
}

impl ScalarUDFImpl for Digests {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, columns: &[DataType]) -> Result<Vec<DataType>> {
        use DataType::{Binary, BinaryView, LargeBinary, LargeUtf8, Null, Utf8, Utf8View};
        let name = &self.name;
        match columns {
            [Null] => Ok(vec![Utf8]),
            [Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView] => {
                Ok(columns.to_vec())
            }
            [other] => plan_err!("{name}: a column of {other} has no bytes to hash"),
            _ => plan_err!("{name}: one column, not {}", columns.len()),
        }
    }

    fn return_type(&self, _columns: &[DataType]) -> Result<DataType> {
        Ok(match self.form {
            Form::Bytes => DataType::FixedSizeBinary(self.algorithm.digest_len() as i32),
            Form::Hex => DataType::Utf8,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Ok(match &args.args[0] {
            ColumnarValue::Array(column) => ColumnarValue::Array(self.digests(column)?),
            ColumnarValue::Scalar(value) => {
                let digest = self.digests(&value.to_array()?)?;
                ColumnarValue::Scalar(ScalarValue::try_from_array(&digest, 0)?)
            }
        })
    }
}

impl Digests {
    fn digests(&self, column: &dyn Array) -> Result<ArrayRef> {
        let (messages, nulls) = (messages(column)?, column.nulls().cloned());
        let (count, len) = (messages.len(), self.algorithm.digest_len());
        Ok(match self.form {
            Form::Bytes => {
                let mut out = vec![0; count * len];
                hash_many(self.algorithm, &messages, Bytes(&mut out));
                Arc::new(FixedSizeBinaryArray::try_new(len as i32, Buffer::from_vec(out), nulls)?)
            }
            Form::Hex if count * 2 * len > i32::MAX as usize => {
                return exec_err!("{}: {count} digests are more than one array takes", self.name);
            }
            Form::Hex => {
                let mut out = vec![0; count * 2 * len];
                hash_many(self.algorithm, &messages, Hex(&mut out));
                let offsets = OffsetBuffer::from_repeated_length(2 * len, count);
                Arc::new(StringArray::try_new(offsets, Buffer::from_vec(out), nulls)?)
            }
        })
    }
}

/// Returns the bytes of each row; empty for null.
fn messages(column: &dyn Array) -> Result<Vec<&[u8]>> {
    fn text<'a>(values: impl Iterator<Item = Option<&'a str>>) -> Vec<&'a [u8]> {
        values.map(|value| value.unwrap_or_default().as_bytes()).collect()
    }
    fn bytes<'a>(values: impl Iterator<Item = Option<&'a [u8]>>) -> Vec<&'a [u8]> {
        values.map(Option::unwrap_or_default).collect()
    }
    Ok(match column.data_type() {
        DataType::Utf8 => text(column.as_string::<i32>().iter()),
        DataType::LargeUtf8 => text(column.as_string::<i64>().iter()),
        DataType::Utf8View => text(column.as_string_view().iter()),
        DataType::Binary => bytes(column.as_binary::<i32>().iter()),
        DataType::LargeBinary => bytes(column.as_binary::<i64>().iter()),
        DataType::BinaryView => bytes(column.as_binary_view().iter()),
        other => return exec_err!("a column of {other} has no bytes to hash"),
    })
}
