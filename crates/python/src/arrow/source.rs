//! The messages of an Arrow array.

use arrow_array::array::AnyDictionaryArray;
use arrow_array::cast::AsArray;
use arrow_array::types::{BinaryType, ByteArrayType, LargeBinaryType, LargeUtf8Type, Utf8Type};
use arrow_array::{
    Array, BinaryViewArray, GenericByteArray, StringViewArray, downcast_integer_array,
};
use arrow_buffer::{ArrowNativeType, Buffer, NullBuffer};
use arrow_schema::DataType;
use lanesum::{Messages, Offset, Offsets, Strided};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The messages of an array of bytes or text, validated to be inside its buffers.
pub(crate) enum Source<'a> {
    Short(Offsets<'a, i32>),
    Long(Offsets<'a, i64>),
    Views(Views<'a>),
    Fixed(Strided<'a>),
}

impl<'a> Source<'a> {
    /// Validates the messages of `array`; errors name the argument `name`.
    pub(crate) fn new(name: &str, array: &'a dyn Array) -> PyResult<Self> {
        let invalid =
            |error: &dyn std::fmt::Display| PyValueError::new_err(format!("{name}: {error}"));
        match array.data_type() {
            DataType::Binary => short(array.as_bytes::<BinaryType>()),
            DataType::Utf8 => short(array.as_bytes::<Utf8Type>()),
            DataType::LargeBinary => long(array.as_bytes::<LargeBinaryType>()),
            DataType::LargeUtf8 => long(array.as_bytes::<LargeUtf8Type>()),
            DataType::BinaryView => {
                let array: &BinaryViewArray = array.as_binary_view();
                Views::new(array.views().inner(), array.data_buffers(), array.nulls())
                    .map(Self::Views)
            }
            DataType::Utf8View => {
                let array: &StringViewArray = array.as_string_view();
                Views::new(array.views().inner(), array.data_buffers(), array.nulls())
                    .map(Self::Views)
            }
            DataType::FixedSizeBinary(_) => {
                let array = array.as_fixed_size_binary();
                let len = array.value_size();
                Strided::with_stride(array.value_data(), len, len, array.len())
                    .map(Self::Fixed)
                    .map_err(|error| error.to_string())
            }
            other => {
                let remedy = match other {
                    DataType::RunEndEncoded(..) => "decode it by pyarrow.compute.run_end_decode",
                    _ => "cast it to binary or text",
                };
                let text = format!("{name}: a column of {other} has no bytes to hash: {remedy}");
                return Err(PyTypeError::new_err(text));
            }
        }
        .map_err(|error| invalid(&error))
    }

    /// Returns message `index`.
    pub(crate) fn message(&self, index: usize) -> &[u8] {
        match self {
            Self::Short(messages) => messages.message(index),
            Self::Long(messages) => messages.message(index),
            Self::Views(messages) => messages.message(index),
            Self::Fixed(messages) => messages.message(index),
        }
    }
}

/// Validates a column before it is copied: the copy would panic on an invalid one.
pub(super) fn check(name: &str, array: &dyn Array) -> PyResult<()> {
    match array.data_type() {
        DataType::Null => Ok(()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            check_keys(name, dictionary)?;
            check(name, dictionary.values())
        }
        DataType::Struct(_) => {
            array.as_struct().columns().iter().try_for_each(|column| check(name, column))
        }
        _ => Source::new(name, array).map(drop),
    }
}

/// Checks that each key of a dictionary is null or the index of a value.
pub(super) fn check_keys(name: &str, dictionary: &dyn AnyDictionaryArray) -> PyResult<()> {
    let (keys, count) = (dictionary.keys(), dictionary.values().len());
    let wrong = downcast_integer_array!(
        keys => {
            let is_wrong = |row: &usize| {
                keys.is_valid(*row)
                    && keys.value(*row).as_usize() >= count
            };
            (0..keys.len()).find(is_wrong).map(|row| (row, keys.value(row).to_string()))
        }
        other => unreachable!("a dictionary with keys of {other}"),
    );
    match wrong {
        None => Ok(()),
        Some((row, key)) => Err(PyValueError::new_err(format!(
            "{name}: row {row} has key {key}, but the dictionary has {count} values"
        ))),
    }
}

fn short<T: ByteArrayType<Offset = i32>>(
    array: &GenericByteArray<T>,
) -> Result<Source<'_>, String> {
    offsets(array).map(Source::Short)
}

fn long<T: ByteArrayType<Offset = i64>>(array: &GenericByteArray<T>) -> Result<Source<'_>, String> {
    offsets(array).map(Source::Long)
}

fn offsets<T: ByteArrayType>(array: &GenericByteArray<T>) -> Result<Offsets<'_, T::Offset>, String>
where
    T::Offset: Offset,
{
    // An array without rows may have fewer bytes than its only offset claims.
    let offsets = if array.is_empty() { &[] } else { array.value_offsets() };
    Offsets::new(array.value_data(), offsets).map_err(|error| error.to_string())
}

/// The messages of an array of views. Short messages are inline; views of longer ones refer to
/// buffers.
pub(crate) struct Views<'a> {
    views: &'a [[u8; 16]],
    buffers: Vec<&'a [u8]>,
}

/// Maximum length of an inline message, in bytes.
const INLINE: usize = 12;

impl<'a> Views<'a> {
    fn new(
        views: &'a Buffer,
        buffers: &'a [Buffer],
        nulls: Option<&NullBuffer>,
    ) -> Result<Self, String> {
        let buffers = buffers.iter().map(Buffer::as_slice).collect();
        let made = Self { views: views.as_slice().as_chunks().0, buffers };
        // The view of a null may be invalid.
        let mut live =
            (0..made.views.len()).filter(|&i| nulls.is_none_or(|nulls| nulls.is_valid(i)));
        match live.find(|&i| made.find(i).is_none()) {
            None => Ok(made),
            Some(i) => Err(format!("view {i} is outside its buffers")),
        }
    }

    fn number(&self, index: usize, place: usize) -> usize {
        let bytes = self.views[index].as_chunks::<4>().0[place];
        u32::from_ne_bytes(bytes) as usize
    }

    fn find(&self, index: usize) -> Option<&[u8]> {
        let len = self.number(index, 0);
        if len <= INLINE {
            return self.views[index].get(4..4 + len);
        }
        let (buffer, start) = (self.number(index, 2), self.number(index, 3));
        self.buffers.get(buffer)?.get(start..)?.get(..len)
    }
}

impl Messages for Views<'_> {
    fn count(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        // The constructor has validated all views that are not null.
        self.find(index).unwrap_or_default()
    }
}

/// Messages with nulls, which count as empty, whatever their bytes.
pub(crate) struct Masked<'a, M> {
    pub(crate) messages: M,
    pub(crate) nulls: &'a NullBuffer,
}

impl<M: Messages> Messages for Masked<'_, M> {
    fn count(&self) -> usize {
        self.messages.count()
    }

    #[inline]
    fn message(&self, index: usize) -> &[u8] {
        if self.nulls.is_valid(index) { self.messages.message(index) } else { &[] }
    }
}
