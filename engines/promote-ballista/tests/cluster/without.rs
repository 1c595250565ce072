//! Clusters that do not know the functions of rule sets.

use std::sync::Arc;

use crate::common::{Folder, Knows, client, cluster, query, set};
use ballista::prelude::SessionConfigExt;
use datafusion::arrow::datatypes::DataType;
use datafusion::error::Result;
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::SessionConfig;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::PhysicalExtensionCodec;
use promote_ballista::{Codec, with_codec};

async fn error(scheduler: Knows, executor: Knows) -> String {
    let folder = Folder::new().await;
    let (context, _) = client(&cluster(scheduler, executor).await, &folder).await;
    set(&context, "rules", "torch").await;
    set(&context, "mode", "kernels").await;
    let text = query(&context, "SELECT i8 + f16 FROM t").await.unwrap_err().to_string();
    // The cluster serves the next query.
    set(&context, "mode", "casts").await;
    let found = query(&context, "SELECT i8 + f16 FROM t").await.unwrap();
    assert_eq!(*found.column(0).data_type(), DataType::Float16);
    text
}

#[tokio::test]
async fn a_scheduler_without_the_functions_names_the_function() {
    let text = error(Knows::Nothing, Knows::Functions).await;
    assert!(text.contains("promote_torch_add"), "{text}");
}

#[tokio::test]
async fn an_executor_without_the_functions_names_the_function() {
    let text = error(Knows::Functions, Knows::Nothing).await;
    assert!(text.contains("promote_torch_add"), "{text}");
}

fn decode(codec: &Codec, name: &str, bytes: &[u8]) -> [Result<Arc<ScalarUDF>>; 2] {
    [
        LogicalExtensionCodec::try_decode_udf(codec, name, bytes),
        PhysicalExtensionCodec::try_decode_udf(codec, name, bytes),
    ]
}

#[test]
fn unknown_functions_are_errors_that_say_what_to_do() {
    let codec = Codec::default();
    for result in decode(&codec, "promote_matlab_add", &[]) {
        let text = result.unwrap_err().to_string();
        assert!(
            text.contains("there is no function `promote_matlab_add`") && text.contains("help: "),
            "{text}"
        );
    }
    for (bytes, expected) in [
        (&b"rules"[..], "no rule file"),
        (b"\xff\0rules", "no rule file"),
        (b"my.rs\0promote::rules! { rules Wide; }", "my.rs:1:"),
        (
            b"my.rs\0promote::rules! { rules Wide extends promote::Torch; }",
            "has no function `promote_torch_add`",
        ),
        (b"my.rs\0promote::rules! { rules Torch extends promote::Torch; }", "the name of a bundled one"),
    ] {
        for result in decode(&codec, "promote_torch_add", bytes) {
            let text = result.unwrap_err().to_string();
            assert!(text.contains(expected), "{text}");
        }
    }
    // Ballista's codec answers for other functions.
    for result in decode(&codec, "abs_of_mine", &[]) {
        assert!(result.unwrap_err().to_string().contains("is not provided for scalar function abs_of_mine"));
    }
}

/// Codecs that users have set before.
#[derive(Debug)]
struct Mine;

mod mine {
    use super::Mine;
    use datafusion::arrow::datatypes::SchemaRef;
    use datafusion::catalog::TableProvider;
    use datafusion::common::{TableReference, not_impl_err};
    use datafusion::error::Result;
    use datafusion::execution::TaskContext;
    use datafusion::logical_expr::{Extension, LogicalPlan, ScalarUDF};
    use datafusion_proto::logical_plan::LogicalExtensionCodec;
    use std::sync::Arc;

    impl LogicalExtensionCodec for Mine {
        fn try_decode_udf(&self, _: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
            // Any function will do.
            let function = promote_ballista::promote_datafusion::function("promote_torch_add");
            Ok(Arc::new(function.unwrap().with_aliases(["mine"])))
        }

        fn try_decode(&self, _: &[u8], _: &[LogicalPlan], _: &TaskContext) -> Result<Extension> {
            not_impl_err!("extensions")
        }

        fn try_encode(&self, _: &Extension, _: &mut Vec<u8>) -> Result<()> {
            not_impl_err!("extensions")
        }

        fn try_decode_table_provider(
            &self,
            _: &[u8],
            _: &TableReference,
            _: SchemaRef,
            _: &TaskContext,
        ) -> Result<Arc<dyn TableProvider>> {
            not_impl_err!("tables")
        }

        fn try_encode_table_provider(
            &self,
            _: &TableReference,
            _: Arc<dyn TableProvider>,
            _: &mut Vec<u8>,
        ) -> Result<()> {
            not_impl_err!("tables")
        }
    }
}

#[test]
fn codecs_of_users_are_still_asked() {
    let config = SessionConfig::new_with_ballista().with_ballista_logical_extension_codec(Arc::new(Mine));
    let codec = with_codec(config).ballista_logical_extension_codec();
    assert_eq!(codec.try_decode_udf("promote_numpy_less", &[]).unwrap().aliases().len(), 0);
    for name in ["mine", "promote_mine"] {
        assert_eq!(codec.try_decode_udf(name, &[]).unwrap().aliases(), ["mine"]);
    }
}
