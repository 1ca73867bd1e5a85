//! The functions in queries of SQL.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, LargeStringArray, RecordBatch, StringArray,
    StringViewArray, new_null_array,
};
use datafusion::arrow::datatypes::DataType;
use datafusion::prelude::SessionContext;
use lanesum::{Algorithm, sha256};
use lanesum_datafusion::{Form, digest};

fn context() -> SessionContext {
    let context = SessionContext::new();
    context.register_udf(digest("lanesum_sha256", Algorithm::SHA256, Form::Bytes));
    context.register_udf(digest("lanesum_hex", Algorithm::SHA256, Form::Hex));
    context
}

async fn column(context: &SessionContext, query: &str) -> ArrayRef {
    let batches = context.sql(query).await.unwrap().collect().await.unwrap();
    assert_eq!(batches.len(), 1, "{query}");
    batches[0].column(0).clone()
}

const VALUES: [Option<&str>; 4] = [Some("first"), None, Some(""), Some("second é, and more of it")];

#[tokio::test]
async fn every_type_of_text_and_bytes() {
    let columns: [ArrayRef; 4] = [
        Arc::new(StringArray::from(VALUES.to_vec())),
        Arc::new(LargeStringArray::from(VALUES.to_vec())),
        Arc::new(StringViewArray::from(VALUES.to_vec())),
        Arc::new(BinaryArray::from(VALUES.map(|value| value.map(str::as_bytes)).to_vec())),
    ];
    for words in columns {
        let context = context();
        let batch = RecordBatch::try_from_iter([("word", words)]).unwrap();
        context.register_batch("words", batch).unwrap();
        let digests = column(&context, "select lanesum_sha256(word) from words").await;
        let digests = digests.as_fixed_size_binary();
        let digits = column(&context, "select lanesum_hex(word) from words").await;
        let digits = digits.as_string::<i32>();
        for (i, value) in VALUES.into_iter().enumerate() {
            assert_eq!((digests.is_null(i), digits.is_null(i)), (value.is_none(), value.is_none()));
            if let Some(value) = value {
                assert_eq!(digests.value(i), sha256(value));
                let hex: String = sha256(value).iter().map(|byte| format!("{byte:02x}")).collect();
                assert_eq!(digits.value(i), hex);
            }
        }
    }
}

#[tokio::test]
async fn a_constant_and_nothing() {
    let context = context();
    let digests = column(&context, "select lanesum_sha256('first')").await;
    assert_eq!(digests.as_fixed_size_binary().value(0), sha256("first"));
    let digests = column(&context, "select lanesum_hex(cast(null as varchar))").await;
    assert!(digests.is_null(0));
}

#[tokio::test]
async fn what_has_no_bytes() {
    let context = context();
    let list = DataType::new_list(DataType::Utf8, true);
    let batch = RecordBatch::try_from_iter([("word", new_null_array(&list, 2))]).unwrap();
    context.register_batch("words", batch).unwrap();
    for (arguments, says) in [
        ("word", "a column of List"),
        ("1", "a column of Int64 has no bytes to hash"),
        ("'first', 'second'", "one column, not 2"),
        ("", "lanesum_sha256"),
    ] {
        let query = format!("select lanesum_sha256({arguments}) from words");
        let error = context.sql(&query).await.unwrap_err().to_string();
        assert!(error.contains("lanesum_sha256") && error.contains(says), "{query}: {error}");
    }
}
